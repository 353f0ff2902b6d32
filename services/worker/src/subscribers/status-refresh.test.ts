import type { Database } from '@site/platform/database/connect';
import type { Row } from '@site/platform/database/tables';
import { advanceSyncClock, storeLead, storeSubscriber } from '@site/testing/builders';
import { recordSubscribers } from '@site/platform/people/subscribers';
import { expect } from 'vitest';
import { connectTestNewsletter, test } from '../testing/worker.fixture.ts';
import { refreshDue } from './status-refresh.ts';

const never = new AbortController().signal;
const settled = { timeout: 10_000, interval: 20 };

const storeUnsettled = async (db: Database, given: Partial<Row<'people'>> = {}) =>
  storeSubscriber(db, await storeLead(db, { beehiivStatus: 'sent', nextAttemptAt: null }), {
    status: 'pending',
    statusSince: new Date(Date.now() - 600_000),
    checkDueAt: new Date(0),
    ...given,
  });

test('a refresh stores the new status on all leads of the person', async ({
  db,
  sandbox,
  start,
}) => {
  const first = await storeLead(db, { email: 'ada@reader.example' });
  const worker = start();
  await expect
    .poll(async () => (await db('leads').where({ id: first.id }).first()).beehiivStatus, settled)
    .toBe('sent');
  await storeLead(db, { email: 'ada@reader.example', formType: 'pre_sample' });
  await worker.syncQueue.wake(1);
  await expect
    .poll(async () => (await db('leads').where({ beehiivStatus: 'sent' })).length, settled)
    .toBe(2);
  // A running worker would refresh the status itself.
  await worker.close();
  await fetch(`${sandbox.url}/_control/beehiiv/confirm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@reader.example' }),
  });
  const deps = { ...connectTestNewsletter({ sandbox }, db), db };

  expect(await refreshDue(deps, never)).toBe(0);
  await advanceSyncClock(db, 6 * 60);
  expect(await refreshDue(deps, never)).toBe(1);

  const now = await db('leads').select('subscriberStatus', 'beehiivStatus');
  expect(now).toEqual(
    [0, 1].map(() => ({
      subscriberStatus: sandbox.beehiiv.find('ada@reader.example')?.status,
      beehiivStatus: 'sent',
    })),
  );
});

test('no status is refreshed while the sync is paused', async ({ db, sandbox }) => {
  await storeUnsettled(db);
  await db('sync_health').update({
    pausedSince: new Date(),
    pauseReason: 'x',
    pauseSetting: 'x',
    nextProbeAt: new Date(),
  });

  expect(await refreshDue({ ...connectTestNewsletter({ sandbox }, db), db }, never)).toBe(0);
});

test.for([401, 500])(
  'a refresh stops after one subscriber if Beehiiv answers %i',
  async (status, { db, sandbox }) => {
    for (let n = 0; n < 3; n++) {
      await storeUnsettled(db);
    }
    sandbox.setFault({ target: 'beehiiv', mode: 'status', status });

    await refreshDue({ ...connectTestNewsletter({ sandbox }, db), db }, never);

    expect(sandbox.beehiiv.requests()).toHaveLength(1);
  },
);

test('a refresh leaves an absent subscriber to the comparison', async ({ db, sandbox }) => {
  await storeUnsettled(db);

  await refreshDue({ ...connectTestNewsletter({ sandbox }, db), db }, never);

  const row = await db('people').whereNotNull('status').first();
  expect(row.status).toBe('pending');
  expect(row.checkDueAt.getTime()).toBeGreaterThan(Date.now());
});

test.for(['active', 'inactive', 'invalid'])(
  'a refresh leaves a status of %s to the comparison',
  async (status, { db, sandbox }) => {
    const { emailNormalised } = await storeLead(db);
    await recordSubscribers(db, [{ email: emailNormalised, id: 'sub_1', status }]);
    await advanceSyncClock(db, 3_600);

    expect(await refreshDue({ ...connectTestNewsletter({ sandbox }, db), db }, never)).toBe(0);
  },
);

test('a status is looked up ever less often, and not after two days', async ({ db, sandbox }) => {
  await storeUnsettled(db);
  const deps = { ...connectTestNewsletter({ sandbox }, db), db };
  const lookUpAt = async (minutes: number) => {
    await advanceSyncClock(db, minutes * 60);
    return refreshDue(deps, never);
  };

  expect(await lookUpAt(0)).toBe(1);
  expect([await lookUpAt(9), await lookUpAt(11)]).toEqual([0, 1]);
  expect([await lookUpAt(30), await lookUpAt(40)]).toEqual([0, 1]);
  expect([await lookUpAt(49 * 60), await lookUpAt(500 * 60)]).toEqual([1, 0]);
});

test('a refresh never overwrites a newer status', async ({ db, sandbox }) => {
  await storeUnsettled(db);
  const { newsletter, rateLimiter } = connectTestNewsletter({ sandbox }, db);
  const find = async (email: string) => {
    await recordSubscribers(db, [{ email, id: 'sub_1', status: 'active' }]);
    return { ...(await newsletter.find(email)), subscriber: { id: 'sub_1', status: 'pending' } };
  };

  await refreshDue({ db, rateLimiter, newsletter: { find } }, never);

  expect((await db('leads').first()).subscriberStatus).toBe('active');
});
