// Runs a release from its archive in an empty folder, without the sources: it starts, delivers a
// lead, and can be updated.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, checkDelivery, createStack, ROOT, run, unpackArchive } from './stack.mjs';

export async function drill() {
  const stack = await createStack('archive');
  const folder = await mkdtemp(join(tmpdir(), 'archive-drill-'));
  try {
    await unpackArchive(stack, folder);
    // The override adds the sandbox, which no archive has.
    stack.env.COMPOSE_FILE = `${folder}/docker-compose.yml:${ROOT}/docker-compose.override.yml`;
    await stack.up('--wait', 'api', 'worker', 'proxy', 'sandbox');
    check(
      (await (await fetch(`${stack.url}/readyz`)).json()).status === 'ok',
      'the archive alone starts the stack',
    );

    await checkDelivery(stack);

    const updated = await run(join(folder, 'deploy/rolling-update.sh'), [], { env: stack.env });
    check(updated.includes('Done: 1 API and 1 worker'), 'its script replaces the processes');
    await run(join(folder, 'deploy/backup.sh'), [join(folder, 'site.dump')], { env: stack.env });
    check(true, 'and dumps the database');
  } finally {
    await stack.remove();
    await rm(folder, { recursive: true });
  }
}
