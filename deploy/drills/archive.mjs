// Runs a release from its archive in an empty folder, without the sources: it starts, delivers a
// lead, and can be updated. The settings that were kept start it again in another folder.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, checkDelivery, createStack, ROOT, run, unpackArchive, until } from './stack.mjs';

export async function drill() {
  const stack = await createStack('archive');
  const folder = await mkdtemp(join(tmpdir(), 'archive-drill-'));
  try {
    await unpackArchive(stack, folder);
    // The override adds the sandbox, which no archive has.
    stack.env.COMPOSE_FILE = `${folder}/docker-compose.yml:${ROOT}/docker-compose.override.yml`;
    await stack.up('--wait', 'api', 'worker', 'proxy', 'backup', 'sandbox');
    const isReady = async () => (await (await fetch(`${stack.url}/readyz`)).json()).status === 'ok';
    await until('the archive alone starts the stack', isReady);

    await checkDelivery(stack);

    const updated = await run(join(folder, 'deploy/rolling-update.sh'), [], { env: stack.env });
    check(updated.includes('Done: 1 API and 1 worker'), 'its script replaces the processes');
    await run(join(folder, 'deploy/backup.sh'), [join(folder, 'site.dump')], { env: stack.env });
    check(true, 'and dumps the database');

    const lines = Object.entries(stack.env).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(join(folder, '.env'), lines.join(''));
    await writeFile(join(folder, 'passphrase'), 'passphrase-of-the-drill');
    const inFolder = (command) => run('sh', ['-c', `cd ${folder} && ${command}`], { env });
    const env = { KEEP_PASSPHRASE_FILE: join(folder, 'passphrase') };
    await inFolder('deploy/keep-settings.sh kept.enc && docker compose down && rm .env');
    await run('docker', ['volume', 'rm', `${stack.env.COMPOSE_PROJECT_NAME}_postgres`]);
    await inFolder('deploy/keep-settings.sh --open kept.enc && deploy/restore.sh');
    const back = await stack.sql('select count(*) from leads');
    check(back === '1', 'on an empty machine, the kept settings and a restore bring it back');
  } finally {
    await stack.remove();
    await rm(folder, { recursive: true });
  }
}
