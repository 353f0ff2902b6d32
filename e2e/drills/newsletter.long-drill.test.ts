import type { FaultMode } from '@site/sandbox/traffic/faults';
import { readSyncHealth } from '@site/platform/health/sync-health';
import { expect } from 'vitest';

import { HAS_OPEN_ATTEMPT } from './drill.ts';
import type { Drill } from './drill.ts';
import { test } from './drill.fixture.ts';
import { within } from './within.ts';

test('while Beehiiv hangs or answers garbage, nothing it did is repeated', async ({ drill }) => {
  await Promise.all([drill.startApi(), drill.startWorker()]);
  await within(
    10_000,
    'the worker has asked for the fields',
    () => drill.requests('GET').length > 0,
  );
  // Hanging comes first: the others finish within its ten-second timeout.
  const modes: FaultMode[] = ['hang', 'reset', 'before-reset', 'garbage', 'half-json', 'status'];
  for (const mode of modes) {
    const before = drill.requests().length;
    drill.beehiiv(mode, { times: 3 });
    await Promise.all(Array.from({ length: 3 }, () => drill.ledger.submit()));
    await within(10_000, `three requests met ${mode}`, () => drill.requests().length >= before + 3);
  }
  drill.beehiiv('ok');
  const refused = 'refused+422@reader.example';
  await drill.ledger.submit({ email: refused });

  await drill.settle();
  expect(await drill.audit({ failed: [refused] })).toEqual([]);
  expect(drill.requests('POST').map(({ outcome }) => outcome)).toEqual(
    expect.arrayContaining(['client gave up', 'cut off', 'answered']),
  );
});

test('a refused key makes leads wait, names the setting, and all resume later', async ({
  drill,
}) => {
  await Promise.all([drill.startApi(), drill.startWorker()]);
  drill.beehiiv('status', { status: 401 });
  await Promise.all(Array.from({ length: 5 }, () => drill.ledger.submit()));
  await within(
    10_000,
    'the sync is paused',
    async () => (await readSyncHealth(drill.db)).pausedSince !== null,
  );
  expect(await readSyncHealth(drill.db)).toMatchObject({ pauseSetting: 'BEEHIIV_API_KEY' });
  await within(
    10_000,
    'no lead is claimed',
    async () => (await drill.count(HAS_OPEN_ATTEMPT)) === 0,
  );
  const [asked, posted] = [drill.requests('GET').length, drill.requests('POST').length];
  await Promise.all(Array.from({ length: 5 }, () => drill.ledger.submit()));

  await drill.passTime(16);
  await within(10_000, 'the key is tried', () => drill.requests('GET').length > asked);
  expect(drill.requests('POST').length).toBe(posted);
  expect(await drill.count(`beehiiv_status = 'pending' and budget_spent = 0`)).toBe(10);

  drill.beehiiv('ok');
  await drill.passTime(16);
  await drill.settle(15_000);
  expect(await readSyncHealth(drill.db)).toMatchObject({ pausedSince: null, pauseSetting: null });
  expect(await drill.audit()).toEqual([]);
});

test('an hour of 500 from Beehiiv fails no lead and spends no budget', async ({ drill }) => {
  await Promise.all([drill.startApi(), drill.startWorker({ BEEHIIV_BACKOFF_BASE_MS: '30000' })]);
  drill.beehiiv('status', { status: 500 });
  await Promise.all(Array.from({ length: 10 }, () => drill.ledger.submit()));
  await untilNobodyIsDue(drill);
  for (let minutes = 0; minutes < 60; minutes += 12) {
    await drill.passTime(12 * 60);
    // A new lead is tried at once, which also starts the sweep for the waiting leads.
    await drill.ledger.submit();
    await untilNobodyIsDue(drill);
  }
  expect(await drill.count(`beehiiv_status = 'pending'`)).toBe(15);

  drill.beehiiv('ok');
  await drill.ledger.submit();
  await drill.settle();

  expect(await drill.count('budget_spent = 0')).toBe(16);
  expect(await drill.audit()).toEqual([]);
});

test('after repeated 429s no request leaves before Beehiiv’s reset', async ({ drill }) => {
  const resetSeconds = 2;
  await Promise.all([drill.startApi(), drill.startWorker({ BEEHIIV_REQUESTS_PER_MINUTE: '600' })]);
  await within(
    10_000,
    'the worker has asked for the fields',
    () => drill.requests('GET').length > 0,
  );
  drill.beehiiv('rate-limit', { delayMs: resetSeconds * 1_000, times: 2 });
  await Promise.all(Array.from({ length: 15 }, () => drill.ledger.submit()));
  await drill.settle();

  const requests = drill.requests();
  const refused = requests.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(2);
  for (const { at, tookMs } of refused) {
    const askedAt = Date.parse(at);
    const resetAt = (Math.floor(askedAt / 1_000) + resetSeconds) * 1_000;
    // Requests sent before the answer was known do not count.
    const knownAt = askedAt + (tookMs ?? 0) + 300;
    const early = requests.filter(
      (request) => Date.parse(request.at) > knownAt && Date.parse(request.at) < resetAt,
    );
    expect(early).toEqual([]);
  }
  expect(await drill.count('budget_spent = 0')).toBe(15);
  expect(await drill.audit()).toEqual([]);
});

async function untilNobodyIsDue({ db }: Drill): Promise<void> {
  await within(15_000, 'everybody has been tried', async () => {
    const { rows } = await db.raw(
      `select count(*)::int as n from leads
       where beehiiv_status = 'pending' and (${HAS_OPEN_ATTEMPT} or next_attempt_at <= sync_now())`,
    );
    return rows[0].n === 0;
  });
}
