import type { FaultMode } from '@site/sandbox/traffic/faults';
import { readSyncHealth } from '@site/platform/outbox/sync-health';
import { describe, expect } from 'vitest';

import { HAS_OPEN_ATTEMPT } from './drill.ts';
import { test } from './drill.fixture.ts';
import { within } from './within.ts';

describe('Beehiiv', () => {
  test('hanging, resetting connections and answering garbage: nothing that Beehiiv already did is repeated', async ({
    drill,
  }) => {
    await Promise.all([drill.startApi(), drill.startWorker()]);
    await within(10_000, 'the worker has asked for the fields', () => drill.requests('GET').length > 0);
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

  test('refusing the key: leads wait, the setting is named, one request at a time asks, and all resume', async ({
    drill,
  }) => {
    await Promise.all([drill.startApi(), drill.startWorker()]);
    drill.beehiiv('status', { status: 401 });
    await Promise.all(Array.from({ length: 5 }, () => drill.ledger.submit()));
    await within(10_000, 'the sync is paused', async () => (await readSyncHealth(drill.db)).pausedSince !== null);
    expect(await readSyncHealth(drill.db)).toMatchObject({ pauseSetting: 'BEEHIIV_API_KEY' });
    await within(10_000, 'no lead is claimed', async () => (await drill.count(HAS_OPEN_ATTEMPT)) === 0);
    const [asked, posted] = [drill.requests('GET').length, drill.requests('POST').length];
    await Promise.all(Array.from({ length: 5 }, () => drill.ledger.submit()));

    await drill.passTime(16);
    await within(10_000, 'the key is tried', () => drill.requests('GET').length > asked);
    expect(drill.requests('POST').length).toBe(posted);
    expect(await drill.count(`beehiiv_status = 'pending' and sync_attempts = 0`)).toBe(10);

    drill.beehiiv('ok');
    await drill.passTime(16);
    await drill.settle(15_000);
    expect(await readSyncHealth(drill.db)).toMatchObject({ pausedSince: null, pauseSetting: null });
    expect(await drill.audit()).toEqual([]);
  });
});
