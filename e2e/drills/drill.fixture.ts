import { test as base } from 'vitest';

import { createDrill } from './drill.ts';
import { startServers } from './servers.ts';

/**
 * `test` with servers to break, and the product on its own database and Beehiiv sandbox. No process
 * is started yet.
 */
export const test = base
  // oxlint-disable-next-line no-empty-pattern -- the runner reads a fixture's needs from its first parameter
  .extend('servers', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const servers = await startServers();
    onCleanup(() => servers.remove());
    return servers;
  })
  .extend('drill', async ({ servers, task }, { onCleanup }) => {
    await Promise.all([servers.postgres.start(), servers.valkey.start()]);
    await servers.tellValkey('FLUSHALL');
    const drill = await createDrill(servers);
    onCleanup(async () => {
      // The processes' logs show more than a failed assertion.
      if (task.result?.state === 'fail') console.error(drill.logs());
      await drill.end();
    });
    return drill;
  });
