import { advanceSyncClock, storeLead, wantTier } from '@site/testing/builders';
import { recordSubscribers } from '@site/platform/people/subscribers';
import { toJudged } from '@site/schema/beehiiv-answers';
import type { Sandbox } from '@site/sandbox/sandbox';
import { describe, expect } from 'vitest';
import { toNewSubscriber } from '../newsletter/to-new-subscriber.ts';
import { DELIVERY } from '../testing/sync-deps.ts';
import { EMAIL, RUN, storeSubscriber, test, tierOf } from '../testing/tier.fixture.ts';
import { syncDueTiers } from './tier.processor.ts';
import type { SyncDeps } from '../sync/sync.processor.ts';

describe('an email that Beehiiv does not know', () => {
  const remove = async (deps: SyncDeps, sandbox: Sandbox) =>
    deps.newsletter.remove(sandbox.beehiiv.find(EMAIL)!.id);

  test('an email that Beehiiv does not know is free at once', async ({ deps, db, sandbox }) => {
    await storeSubscriber(db, sandbox);
    await wantTier(db, EMAIL, 'premium');
    await syncDueTiers(deps, RUN);
    await remove(deps, sandbox);
    await wantTier(db, EMAIL, 'free');

    await syncDueTiers(deps, RUN);

    expect(await db('people').whereNotNull('tier')).toMatchObject([
      { tierVersion: 2, tierConfirmedVersion: 2 },
    ]);
    expect(await db('lead_sync_attempts').orderBy('startedAt')).toMatchObject([
      { class: 'accepted' },
      { class: 'accepted', reason: 'not-subscribed' },
    ]);
  });

  test('an unknown email counts as not receiving after three attempts', async ({
    deps,
    db,
    sandbox,
  }) => {
    const lead = await storeSubscriber(db, sandbox);
    await remove(deps, sandbox);
    await wantTier(db, EMAIL, 'premium');
    const states = [];
    for (const minute of [0, 10, 20, 30]) {
      await advanceSyncClock(db, minute * 60);
      const runs = await syncDueTiers(deps, RUN);
      const tier = await db('people').whereNotNull('tier').first();
      states.push([runs, tier.tierConfirmedVersion, tier.notReceivingSince !== null]);
    }

    expect(states).toEqual([
      [1, 0, false],
      [1, 0, false],
      [1, 1, true],
      [0, 1, true],
    ]);
    await deps.newsletter.add(toNewSubscriber(lead, {}, DELIVERY, deps.fieldCatalog, false));
    await recordSubscribers(db, [{ email: EMAIL, id: null, status: null, wasAdded: true }]);
    await syncDueTiers(deps, RUN);
    expect(tierOf(sandbox)).toBe('premium');
    expect(await db('people').whereNotNull('tier')).toMatchObject([
      { tierConfirmedVersion: 2, notReceivingSince: null },
    ]);
  });

  test('a wrong publication does not make a subscriber seem absent', async ({
    deps,
    db,
    sandbox,
  }) => {
    await storeSubscriber(db, sandbox);
    await wantTier(db, EMAIL, 'premium');
    await db('people').whereNotNull('tier').update({ tierAttempts: 7 });
    const absent = await deps.newsletter.find('nobody@acquirers.example');
    const listFields = async () => ({
      ...(await deps.newsletter.listFields(1)),
      ...toJudged('publication-unknown'),
      page: null,
    });
    const newsletter = { ...deps.newsletter, find: () => Promise.resolve(absent), listFields };

    await syncDueTiers({ ...deps, newsletter }, RUN);

    expect(await db('people').whereNotNull('tier')).toMatchObject([
      { tierConfirmedVersion: 0, notReceivingSince: null },
    ]);
  });

  test('an email without a sent lead is free, even if it was corrected', async ({ deps, db }) => {
    await storeLead(db, { email: EMAIL, beehiivStatus: 'failed', nextAttemptAt: null });
    for (const tier of ['premium', 'free'] as const) await wantTier(db, EMAIL, tier);

    await syncDueTiers(deps, RUN);

    expect(await db('people').whereNotNull('tier')).toMatchObject([
      { tierVersion: 2, tierConfirmedVersion: 2 },
    ]);
    expect(await db('lead_sync_attempts')).toEqual([]);
  });
});
