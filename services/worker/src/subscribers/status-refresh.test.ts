import type { Database } from '@site/platform/database/connect';
import type { Row } from '@site/platform/database/tables';
import { advanceSyncClock, storeLead, storeSubscriber } from '@site/testing/builders';
import { recordSubscribers } from '@site/platform/people/subscribers';
import { recordEvent } from '@site/platform/people/status-check';
import { task } from '@site/platform/database/task';
import type { Sandbox } from '@site/sandbox/sandbox';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { storeSubscriber as addToSandbox } from '../testing/tier.fixture.ts';
import { connectTestNewsletter, test } from '../testing/worker.fixture.ts';
import { refreshDue } from './status-refresh.ts';

const never = new AbortController().signal;
const settled = { timeout: 10_000, interval: 20 };

const connect = (db: Database, sandbox: Sandbox) => ({
  ...connectTestNewsletter({ sandbox }, db),
  db,
});

/** Stores a sent lead of somebody who is active at the sandbox. */
async function subscribe(db: Database, sandbox: Sandbox) {
  const email = 'ada+exists@reader.example';
  const { emailNormalised } = await storeLead(db, {
    email,
    beehiivStatus: 'sent',
    nextAttemptAt: null,
  });
  return { deps: connect(db, sandbox), emailNormalised };
}

const storeUnsettled = async (
  db: Database,
  given: Partial<Row<'people'>> = {},
  email = `${randomUUID()}@reader.example`,
) =>
  storeSubscriber(db, await storeLead(db, { email, beehiivStatus: 'sent', nextAttemptAt: null }), {
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

test.for([
  ['a 500', 500],
  ['a refused key', 401],
] as const)('a check stays due after %s', async ([, status], { db, sandbox }) => {
  const { deps, emailNormalised } = await subscribe(db, sandbox);
  await recordEvent(db, emailNormalised);
  sandbox.setFault({ target: 'beehiiv', mode: 'status', status, times: 1 });
  await refreshDue(deps, never);

  await advanceSyncClock(db, 60);
  await refreshDue(deps, never);

  expect(sandbox.beehiiv.requests().map((request) => request.status)).toEqual([status, 200]);
});

test('an event during a request survives its answer', async ({ db, sandbox }) => {
  const { deps, emailNormalised } = await subscribe(db, sandbox);
  let requests = 0;
  const find = async (email: string) => {
    const answer = await deps.newsletter.find(email);
    requests += 1;
    if (requests === 1) await recordEvent(db, email);
    return answer;
  };
  await recordEvent(db, emailNormalised);

  await refreshDue({ ...deps, newsletter: { ...deps.newsletter, find } }, never);

  expect(requests).toBe(2);
});

test('one check answers any number of events', async ({ db, sandbox }) => {
  const { deps, emailNormalised } = await subscribe(db, sandbox);
  for (let events = 0; events < 5; events += 1) await recordEvent(db, emailNormalised);

  expect(await refreshDue(deps, never)).toBe(1);
});

test('an unchanged answer is asked again once, after five minutes', async ({ db, sandbox }) => {
  const { deps, emailNormalised } = await subscribe(db, sandbox);
  await recordSubscribers(db, [{ email: emailNormalised, id: 'sub_1', status: 'active' }]);
  await recordEvent(db, emailNormalised);
  const checkAfter = async (seconds: number) => {
    await advanceSyncClock(db, seconds);
    return refreshDue(deps, never);
  };

  expect([await checkAfter(2), await checkAfter(290), await checkAfter(305)]).toEqual([1, 0, 1]);
  expect([await checkAfter(700), await checkAfter(9_000)]).toEqual([0, 0]);
});

test('a changed answer is not asked again', async ({ db, sandbox }) => {
  const { deps, emailNormalised } = await subscribe(db, sandbox);
  await recordSubscribers(db, [{ email: emailNormalised, id: 'sub_1', status: 'inactive' }]);
  await recordEvent(db, emailNormalised);
  await refreshDue(deps, never);
  await advanceSyncClock(db, 400);

  expect(await refreshDue(deps, never)).toBe(0);
});

test('an absent subscriber is recorded, also on their leads', async ({ db, sandbox }) => {
  await storeUnsettled(db);

  await refreshDue(connect(db, sandbox), never);

  expect(await db('people')).toMatchObject([{ status: null, subscriberId: null }]);
  expect(await db('leads')).toMatchObject([{ subscriberStatus: null, beehiivStatus: 'sent' }]);
});

test('with a wrong publication nobody is absent', async ({ db, sandbox }) => {
  const { emailNormalised } = await subscribe(db, sandbox);
  await recordSubscribers(db, [{ email: emailNormalised, id: 'sub_1', status: 'active' }]);
  await recordEvent(db, emailNormalised);
  const credentials = { ...sandbox.credentials, beehiivPublicationId: 'pub_0' };
  const { url } = sandbox;

  await refreshDue({ ...connectTestNewsletter({ sandbox: { url, credentials } }, db), db }, never);

  expect(await db('people')).toMatchObject([{ status: 'active', checkDueAt: expect.any(Date) }]);
});

test('a comparison suspends no check', async ({ db, sandbox }) => {
  const { deps, emailNormalised } = await subscribe(db, sandbox);
  await recordEvent(db, emailNormalised);
  await task(db, 'comparison').update({
    leasedBy: randomUUID(),
    leasedUntil: new Date(Date.now() + 60_000),
  });

  expect(await refreshDue(deps, never)).toBe(1);
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
  const email = 'ada@reader.example';
  await addToSandbox(db, sandbox, email, { double_opt_override: 'on' });
  await storeUnsettled(db, {}, email);
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

  await refreshDue({ db, rateLimiter, newsletter: { ...newsletter, find } }, never);

  expect((await db('leads').first()).subscriberStatus).toBe('active');
});
