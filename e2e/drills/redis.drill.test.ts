import { expect } from 'vitest';

import { test } from './drill.fixture.ts';
import { within } from './within.ts';

/** A request that waits for Redis takes longer than this: its commands time out after 1.5 s. */
const WAITED_FOR_REDIS_MS = 1_400;
/** Thirty requests a second, so that leads wait in the queue when it is flushed. */
const SLOWLY = { BEEHIIV_REQUESTS_PER_MINUTE: '1800' };

test('leads are accepted without Redis at the start, and sent later', async ({ drill }) => {
  const { valkey } = drill.servers;
  await valkey.stop();
  await Promise.all([drill.startApi(), drill.startWorker()]);

  // The first lead alone: a process that has just started loads code and opens connections, too.
  await drill.ledger.submit();
  await Promise.all(Array.from({ length: 9 }, () => drill.ledger.submit()));
  expect(drill.ledger).toMatchObject({ refused: [], unanswered: 0 });
  expect(drill.ledger.slowestMs).toBeLessThan(WAITED_FOR_REDIS_MS);
  expect(await drill.count(`beehiiv_status = 'pending'`)).toBe(10);

  await valkey.start();
  await drill.settle();
  expect(await drill.audit()).toEqual([]);
});

test('if Redis is flushed repeatedly under load, the sweep queues every lost job again', async ({
  drill,
}) => {
  await Promise.all([drill.startApi(), drill.startWorker(SLOWLY)]);
  const visits = drill.ledger.visit(60);
  for (let flushed = 0; flushed < 3; flushed++) {
    const enough = (flushed + 1) * 15;
    await within(
      10_000,
      'leads wait',
      async () => (await drill.count(`beehiiv_status = 'pending'`)) > enough,
    );
    expect(await drill.servers.tellValkey('FLUSHALL')).toBe('+OK');
  }
  await visits.end();

  await drill.settle();
  expect(await drill.audit()).toEqual([]);
});
