// Stops the stack. Every process ends with 0: Postgres and Redis write everything to disk, and are
// not killed.
import { check, createStack, run } from './stack.mjs';

const FAREWELLS = { postgres: 'database system is shut down', redis: 'ready to exit, bye bye' };

export async function drill() {
  const stack = await createStack('stop');
  try {
    await stack.up('--wait', 'api', 'worker', 'proxy');
    const containers = await stack.containers();
    await stack.compose('stop');
    for (const { id, service } of containers) {
      const code = await run('docker', ['inspect', '-f', '{{.State.ExitCode}}', id]);
      check(code === '0', `${service} ended with ${code}`);
    }
    for (const [service, farewell] of Object.entries(FAREWELLS)) {
      check(
        (await stack.compose('logs', service)).includes(farewell),
        `${service} logged "${farewell}"`,
      );
    }
  } finally {
    await stack.remove();
  }
}
