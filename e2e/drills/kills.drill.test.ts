import { expect } from 'vitest';

import { HAS_OPEN_ATTEMPT } from './drill.ts';
import type { Drill } from './drill.ts';
import { test } from './drill.fixture.ts';
import { newSubmission } from './ledger.ts';
import { startWire } from './wire.ts';
import { within } from './within.ts';

const LEASE_IS_OVER_S = 46;

test('a lead is added once if its worker is killed before the request arrives', async ({
  drill,
  onTestFinished,
}) => {
  const { sandbox } = drill;
  const { wire, env } = await overTheWire(drill, onTestFinished);
  const worker = await drill.startWorker(env);
  wire.lose('requests');
  const email = await arrive(drill);
  await within(10_000, 'the request is on its way', () => wire.lost() > 0);
  await worker.kill();
  expect(sandbox.beehiiv.find(email)).toBeUndefined();

  wire.lose('nothing');
  await expectSentByTheNext(drill, env, 'unknown, accepted');
});

test('a lead is not added again if its worker is killed before the answer arrives', async ({
  drill,
  onTestFinished,
}) => {
  const { sandbox } = drill;
  const { wire, env } = await overTheWire(drill, onTestFinished);
  const worker = await drill.startWorker(env);
  wire.lose('answers');
  const email = await arrive(drill);
  await within(10_000, 'the answer is on its way', () => wire.lost() > 0);
  await worker.kill();
  expect(sandbox.beehiiv.find(email)).toBeDefined();

  wire.lose('nothing');
  await expectSentByTheNext(drill, env, 'unknown, accepted');
});

test('a lead is sent if its worker is killed while Postgres records the outcome', async ({
  drill,
}) => {
  const { sandbox } = drill;
  await drill.startApi();
  const worker = await drill.startWorker();
  // Otherwise that request could be the slow one, and the lead's would be over unseen.
  await within(10_000, 'it has asked for the fields', () => drill.requests('GET').length > 0);
  drill.beehiiv('slow', { delayMs: 1_000, times: 1 });
  const email = await arrive(drill);
  await within(
    10_000,
    'the request is there',
    async () => (await drill.count(HAS_OPEN_ATTEMPT)) === 1,
  );
  const release = await drill.lock('select from leads where email = ? for update', [email]);
  await within(
    10_000,
    'the answer is to be written',
    async () => (await drill.countLocked('worker')) > 0,
  );
  expect(sandbox.beehiiv.find(email)).toBeDefined();
  await worker.kill();
  await release();

  // One statement records an outcome. Postgres finishes it, although the worker that sent it is
  // dead.
  await within(
    10_000,
    'the outcome is recorded',
    async () => (await drill.count(`beehiiv_status = 'sent'`)) === 1,
  );
  await expectSentByTheNext(drill, {}, 'accepted');
});

/** Starts the API, and a wire between the worker and Beehiiv. */
async function overTheWire(drill: Drill, onTestFinished: (end: () => Promise<void>) => void) {
  const wire = await startWire(drill.sandbox.port);
  onTestFinished(() => wire.stop());
  await drill.startApi();
  return { wire, env: { BEEHIIV_API_URL: `${wire.url}/v2` } };
}

/**
 * Lets the dead worker's lease end, and another worker settle its lead. `story` has the outcomes of
 * the lead's attempts.
 */
async function expectSentByTheNext(
  drill: Drill,
  env: Record<string, string>,
  story: string,
): Promise<void> {
  await drill.passTime(LEASE_IS_OVER_S);
  await drill.startWorker(env);
  await drill.settle();

  expect(await drill.audit()).toEqual([]);
  const { rows } = await drill.db.raw(
    `select string_agg(class, ', ' order by number) as story from lead_sync_attempts group by lead_id`,
  );
  expect(rows).toEqual([{ story }]);
}

async function arrive({ ledger }: Drill): Promise<string> {
  const submission = newSubmission();
  await ledger.submit(submission);
  return submission.email;
}
