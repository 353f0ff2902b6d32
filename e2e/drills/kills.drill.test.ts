import { describe, expect } from 'vitest';

import { HAS_OPEN_ATTEMPT } from './drill.ts';
import type { Drill } from './drill.ts';
import { test } from './drill.fixture.ts';
import { newSubmission } from './ledger.ts';
import { startWire } from './wire.ts';
import { within } from './within.ts';

const LEASE_IS_OVER_S = 46;

describe('kill -9', () => {
  test('of the worker before, during and after its request: each lead is sent by one request', async ({
    drill,
    onTestFinished,
  }) => {
    const { db, sandbox } = drill;
    const wire = await startWire(sandbox.port);
    onTestFinished(() => wire.stop());
    const overTheWire = { BEEHIIV_API_URL: `${wire.url}/v2` };
    await drill.startApi();

    const first = await drill.startWorker(overTheWire);
    wire.lose('requests');
    const before = await arrive(drill);
    await within(10_000, 'the request is on its way', () => wire.lost() > 0);
    await first.kill();
    expect(sandbox.beehiiv.find(before)).toBeUndefined();

    wire.lose('nothing');
    const second = await drill.startWorker(overTheWire);
    wire.lose('answers');
    const after = await arrive(drill);
    await within(10_000, 'the answer is on its way', () => wire.lost() > 0);
    await second.kill();
    expect(sandbox.beehiiv.find(after)).toBeDefined();

    wire.lose('nothing');
    const third = await drill.startWorker(overTheWire);
    // Otherwise that request could be the slow one, and the lead's would be over before anybody saw it.
    await within(10_000, 'it has asked for the fields', () => drill.requests('GET').length >= 3);
    drill.beehiiv('slow', { delayMs: 1_000, times: 1 });
    const unwritten = await arrive(drill);
    await within(10_000, 'the request is there', async () => (await drill.count(HAS_OPEN_ATTEMPT)) === 3);
    const release = await drill.lock('select from leads where email = ? for update', [unwritten]);
    await within(10_000, 'the answer is to be written', async () => (await drill.countLocked('worker')) > 0);
    expect(sandbox.beehiiv.find(unwritten)).toBeDefined();
    await third.kill();
    await release();

    // One statement records an outcome. Postgres carries it out, although the worker that sent it is dead.
    await within(10_000, 'the third is recorded', async () => (await drill.count(`beehiiv_status = 'sent'`)) === 1);
    expect(await drill.count(`beehiiv_status = 'pending' and ${HAS_OPEN_ATTEMPT}`)).toBe(2);
    await drill.passTime(LEASE_IS_OVER_S);
    await drill.startWorker(overTheWire);
    await drill.settle();

    expect(await drill.audit()).toEqual([]);
    const { rows } = await db.raw(
      `select string_agg(class, ', ' order by number) as story from lead_sync_attempts group by lead_id`,
    );
    expect(rows.map(({ story }: { story: string }) => story).sort()).toEqual([
      'accepted',
      'unknown, accepted',
      'unknown, accepted',
    ]);
  });
});

async function arrive({ ledger }: Drill): Promise<string> {
  const submission = newSubmission();
  await ledger.submit(submission);
  return submission.email;
}
