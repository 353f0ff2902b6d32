import { recordHeartbeat, task } from '@site/platform/database/task';
import { toJudged } from '@site/schema/beehiiv-answers';
import { formatLondonTime, londonDate } from '@site/schema/calendar';
import { advanceSyncClock, pauseSync, storeAttempt, storeLead } from '@site/testing/builders';
import { describe, expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';

test('the state of the sync has the age of the subscribers’ statuses', async ({ operator, db }) => {
  const before = await operator.get('sync');
  await task(db, 'comparison').update({ coversUntil: new Date('2026-11-20T03:00:30Z') });

  const after = await operator.get('sync');

  expect([before.json.statusesAsOf, after.json.statusesAsOf]).toEqual([
    null,
    '2026-11-20T03:00:30.000Z',
  ]);
});

test('the last error of a day is shown, and no refusal, which is of its lead', async ({
  operator,
  db,
}) => {
  const { id: leadId } = await storeLead(db);
  const answers = ['server-error', 'no-answer', 'email-invalid'] as const;
  const startedAt = (n: number) => db.raw(`sync_now() - interval '${26 - n} hours'`);
  for (const [n, reason] of answers.entries())
    await storeAttempt(db, {
      ...toJudged(reason),
      leadId,
      number: n,
      message: `Answer ${n}`,
      startedAt: startedAt(3 * n),
    });

  const { json } = await operator.get('sync');

  expect(json.lastError).toEqual({ at: expect.any(String), message: 'Answer 1' });
});

test('the first run is over with ten leads', async ({ operator, db }) => {
  const read = async () => (await operator.get('sync')).json.isFirstRun;
  for (let n = 0; n < 9; n += 1) await storeLead(db);
  expect(await read()).toBe(true);

  await storeLead(db);

  expect(await read()).toBe(false);
});

test('the state is running while a worker is seen', async ({ operator, db }) => {
  const read = async () => {
    const { state, conditions, pending } = (await operator.get('sync')).json;
    return {
      state,
      pending,
      kinds: conditions.map(({ kind }: { kind: string }) => kind),
      text: conditions[0]?.text,
    };
  };
  await recordHeartbeat(db);
  await storeLead(db);
  expect(await read()).toEqual({ state: 'running', pending: 1, kinds: [], text: undefined });

  await advanceSyncClock(db, 31);
  expect(await read()).toEqual({
    state: 'no-worker',
    pending: 1,
    kinds: ['no-worker'],
    text: 'No worker is running, so nothing is being sent. 1 lead waits, nothing is lost.',
  });

  await recordHeartbeat(db);
  await pauseSync(db);
  expect(await read()).toMatchObject({ state: 'paused', kinds: ['paused'] });
});

test('a lead that waits a minute while Beehiiv answers with errors is an outage', async ({
  operator,
  db,
}) => {
  const read = async () => {
    const { json } = await operator.get('sync');
    const { items } = (await operator.get('attention')).json;
    const isOutage = ({ kind }: { kind: string }) => kind === 'outage';
    const titles = items.filter(isOutage).map(({ title }: { title: string }) => title);
    return [json.state, json.conditions, titles];
  };
  await db('sync_health').update({ lastAcceptedAt: db.raw(`sync_now() - interval '1 hour'`) });
  const { id: leadId, submittedAt } = await storeLead(db);
  const answer = async (reason: 'server-error' | 'email-invalid', number: number) =>
    storeAttempt(db, { ...toJudged(reason), leadId, number });
  await answer('server-error', 1);
  const [{ startedAt: since }] = await db('lead_sync_attempts').select('startedAt');
  await recordHeartbeat(db);
  expect(await read()).toEqual(['running', [], []]);

  await advanceSyncClock(db, 65);
  await answer('server-error', 2);
  await recordHeartbeat(db);
  const text =
    `Beehiiv does not answer. 1 lead waits since ${formatLondonTime(submittedAt)}, ` +
    'nothing is lost.';
  expect(await read()).toEqual([
    'outage',
    [{ kind: 'outage', since: since!.toISOString(), text, strip: 'pending' }],
    ['Beehiiv does not answer'],
  ]);

  await answer('email-invalid', 3);
  expect(await read()).toEqual(['running', [], []]);
});

test('the strip, /readyz and the metrics of the API agree', async ({ api, operator, db }) => {
  await advanceSyncClock(db, 100);
  await db('sync_health').update({ failureStreak: 5, transientSince: db.raw('sync_now()') });

  const strip = (await operator.get('sync')).json;
  const ready = await api.call('GET', '/readyz');
  const metrics = (await api.call('GET', '/metrics')).text;

  const kinds = ['no-worker', 'outage'];
  expect(strip.conditions.map(({ kind }: { kind: string }) => kind)).toEqual(kinds);
  expect(ready).toMatchObject({ status: 200, json: { status: 'degraded', conditions: kinds } });
  const set = [...metrics.matchAll(/^sync_condition\{kind="(.+)"\} 1$/gm)].map(([, kind]) => kind);
  expect(set).toEqual(kinds);
});

test('a requested probe makes that of a pause due, and leaves a sync that runs alone', async ({
  operator,
  db,
}) => {
  const ask = async () => operator.post('sync/probe');
  const { nextProbeAt: before } = (await db('sync_health').first('nextProbeAt'))!;

  expect((await ask()).status).toBe(202);
  expect(await db('sync_health').first('nextProbeAt')).toEqual({ nextProbeAt: before });

  await pauseSync(db);
  await db('sync_health').update({ nextProbeAt: new Date(Date.now() + 3_600_000) });
  const asked = await ask();
  expect(asked.status).toBe(202);

  const { nextProbeAt } = (await db('sync_health').first('nextProbeAt'))!;
  expect(nextProbeAt!.getTime()).toBeLessThanOrEqual(Date.now());
  expect(await db('operator_actions').where({ action: 'probe' })).toHaveLength(1);
});

test('a requested probe makes the few leads due that failed before it was an outage', async ({
  operator,
  db,
}) => {
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  const leads = [];
  for (let hours = 1; hours <= 6; hours += 1)
    leads.push(await storeLead(db, { nextAttemptAt: inHours(hours) }));
  const later = leads.pop()!;

  expect((await operator.post('sync/probe')).status).toBe(202);

  const dueAt = async ({ id }: { id: string }) =>
    (await db('leads').where({ id }).first('nextAttemptAt'))!.nextAttemptAt;
  for (const lead of leads) expect((await dueAt(lead))!.getTime()).toBeLessThanOrEqual(Date.now());
  expect(await dueAt(later)).toEqual(later.nextAttemptAt);
});

describe('GET /api/admin/sync/delivery', () => {
  const DAY_MS = 86_400_000;
  /** Returns noon of a day, when London and UTC have the same date. */
  const noon = (daysAgo: number) =>
    new Date(`${londonDate(new Date(Date.now() - daysAgo * DAY_MS))}T12:00:00Z`);
  const after = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1_000);

  test('delivery shows the last fourteen days with their sent and failed leads', async ({
    operator,
    db,
  }) => {
    const sent = { beehiivStatus: 'sent' as const, nextAttemptAt: null };
    const failed = { beehiivStatus: 'failed' as const, nextAttemptAt: null };
    for (const seconds of [1, 2, 42])
      await storeLead(db, {
        ...sent,
        submittedAt: noon(13),
        beehiivSentAt: after(noon(13), seconds),
      });
    await storeLead(db, { ...sent, submittedAt: noon(14), beehiivSentAt: after(noon(14), 900) });
    await storeLead(db, { ...failed, submittedAt: noon(13), quarantineReason: 'too fast' });
    // The lead failed first, and an operator sent it again.
    const again = {
      syncRound: 2,
      roundStartedAt: after(noon(3), 3_600),
      beehiivSentAt: after(noon(3), 3_602),
    };
    await storeLead(db, { ...sent, submittedAt: noon(3), ...again });
    const failing = await storeLead(db, { ...failed, submittedAt: noon(2) });
    await storeLead(db, { submittedAt: noon(2) });
    const lastSentAt = noon(3);
    await db('sync_health').update({ lastAddedAt: lastSentAt });

    const { json } = await operator.get('sync/delivery');

    expect(json.days).toHaveLength(14);
    expect(json.days[0]).toEqual({ day: londonDate(noon(13)), sent: 3, failed: 0 });
    expect(json.days[10]).toEqual({ day: londonDate(noon(3)), sent: 1, failed: 0 });
    expect(json.days[11]).toEqual({ day: londonDate(noon(2)), sent: 0, failed: 1 });
    expect(json.days[13]).toEqual({ day: londonDate(noon(0)), sent: 0, failed: 0 });
    expect(json).toMatchObject({
      sentToday: 0,
      failed: 1,
      total: 7,
      lastSentAt: lastSentAt.toISOString(),
    });
    const span = `startDate=${londonDate(noon(13))}&endDate=${londonDate(noon(0))}`;
    const list = await operator.get(`leads?status=failed&${span}`);
    expect(list.json).toMatchObject({ leads: [{ id: failing.id }], counts: { total: json.total } });
    expect(list.json.statusCounts).toMatchObject({ sent: 4, failed: json.failed });
  });

  test('delivery shows when Beehiiv last sent an event', async ({ newApi, db }) => {
    const seenAt = noon(1);
    const api = await newApi({ BEEHIIV_WEBHOOK_SECRET: 's'.repeat(32) });
    const headers = await api.logIn();
    const read = async () =>
      (await api.call('GET', '/api/admin/sync/delivery', { headers })).json.beehiivNews;
    const before = await read();
    await task(db, 'beehiiv-events').update({ seenAt, failure: 'key-not-allowed' });

    expect(before).toEqual({ lastEventAt: null, isRefused: false });
    expect(await read()).toEqual({ lastEventAt: seenAt.toISOString(), isRefused: true });
  });

  test('delivery names the last twenty outages, and when each part was last seen', async ({
    operator,
    db,
  }) => {
    const none = (await operator.get('sync/delivery')).json;
    expect(none).toMatchObject({
      outages: [],
      lastSentAt: null,
      lastEventAt: null,
      beehiivNews: null,
      total: 0,
    });
    await db('outages').insert(
      Array.from({ length: 21 }, (_, n) => ({
        kind: 'no-worker' as const,
        since: noon(n),
        until: after(noon(n), 60),
        waited: n,
      })),
    );
    const receivedAt = noon(1);
    await db('stripe_events').insert([
      { id: 'evt_1', type: 'invoice.paid', arrivedBy: 'delivery', outcome: 'applied', receivedAt },
    ]);
    await task(db, 'worker').update({ seenAt: noon(2) });
    const backup = { coversUntil: noon(1), detail: { place: 's3' } };
    await task(db, 'backup').update({ seenAt: noon(0), ...backup });
    const mail = { channel: 'mail', what: 'weekly 2026-07-20', text: 'x', since: noon(3) } as const;
    await db('notices').insert({ ...mail, sentAt: noon(3) });

    const { json } = await operator.get('sync/delivery');

    expect(json.outages).toHaveLength(20);
    expect(json.outages[0]).toEqual({
      kind: 'no-worker',
      since: noon(0).toISOString(),
      until: after(noon(0), 60).toISOString(),
      waited: 0,
    });
    expect(json).toMatchObject({
      lastEventAt: receivedAt.toISOString(),
      workerSeenAt: noon(2).toISOString(),
      backup: { isElsewhere: true, lastAt: expect.any(String), settingsAt: null },
      mail: { lastSentAt: noon(3).toISOString() },
    });
  });
});
