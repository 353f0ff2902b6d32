import { describe, expect } from 'vitest';

import { test } from './drill.fixture.ts';
import { newSubmission } from './ledger.ts';
import { within } from './within.ts';

const FROZEN_MS = 120_000;

describe('a worker frozen for two minutes', () => {
  test('while it records an outcome: the other worker goes on sending, and nothing is sent twice', async ({
    drill,
  }) => {
    const { ledger } = drill;
    await drill.startApi();
    const frozen = await drill.startWorker();
    await within(10_000, 'it has asked for the fields', () => drill.requests('GET').length > 0);
    drill.beehiiv('slow', { delayMs: 1_000, times: 1 });
    const { email } = newSubmission();
    await ledger.submit(newSubmission({ email }));
    await within(10_000, 'the request is there', async () => (await drill.count('claim is not null')) === 1);
    const release = await drill.lock('select from sync_health for update');
    await within(10_000, 'the outcome is to be recorded', async () => (await drill.countLocked('worker')) > 0);
    await drill.startWorker();
    const thaw = frozen.freeze();
    await release();

    const until = Date.now() + FROZEN_MS;
    const waitsMs: number[] = [];
    do {
      const submitted = Date.now();
      await Promise.all(Array.from({ length: 5 }, () => ledger.submit()));
      await within(
        15_000,
        'the other worker has sent them',
        async () => (await drill.count(`beehiiv_status = 'pending' and email <> '${email}'`)) === 0,
      );
      waitsMs.push(Date.now() - submitted);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    } while (Date.now() < until);
    thaw();
    await drill.settle();

    console.log(`${ledger.accepted.length} leads accepted and sent; the longest waited ${Math.max(...waitsMs)} ms`);
    expect(Math.max(...waitsMs)).toBeLessThan(10_000);
    expect(await drill.audit()).toEqual([]);
  }, 300_000);
});
