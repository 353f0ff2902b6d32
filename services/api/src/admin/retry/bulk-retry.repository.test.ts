import { judgeDue, storeAttempts, storeLead, wantTier } from '@site/testing/builders';
import { claimLead } from '@site/platform/outbox/claim';
import { settleStopped, stepBulkRetry } from '@site/platform/outbox/retry';
import type { LeadRow } from '@site/platform/database/tables';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';

const failed = (given: Partial<LeadRow> = {}): Partial<LeadRow> => ({
  beehiivStatus: 'failed',
  nextAttemptAt: null,
  beehiivResponse: '422 no',
  ...given,
});
const quarantined = failed({ beehiivResponse: 'quarantined: fast', quarantineReason: 'fast' });

test('a bulk retry’s estimate has number and duration, and changes nothing', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  await storeLead(db, failed({ beehiivReason: 'email-invalid' }));
  await storeLead(db, failed({ formType: 'pre_sample' }));
  await storeLead(db, quarantined);
  await storeLead(db);
  await db('rate_limiter').update({ requestsPerMinute: 60 });

  const body = { filter: { formType: 'pre_buy' }, dryRun: true };
  const dry = await api.call('POST', '/api/admin/leads/retry', { headers, body });
  const all = await api.call('POST', '/api/admin/leads/retry', {
    headers,
    body: { ...body, withQuarantined: true },
  });

  const valid = await api.call('POST', '/api/admin/leads/retry', {
    headers,
    body: { ...body, filter: { ...body.filter, withoutInvalid: true } },
  });

  // One lead is pending already, so two requests at one a second.
  expect(dry.json).toEqual({ count: 1, invalid: 1, estimateMs: 2_000 });
  expect(all.json).toEqual({ count: 2, invalid: 1, estimateMs: 3_000 });
  expect(valid.json).toEqual({ count: 0, invalid: 1, estimateMs: 1_000 });
  expect(await db('leads').where({ beehiivStatus: 'failed' }).count()).toEqual([{ count: 3 }]);
});

test('a bulk retry leaves out leads with a refused email, if asked to', async ({ api, db }) => {
  const headers = await api.logIn();
  await storeLead(db, failed({ beehiivReason: 'email-invalid' }));
  const other = await storeLead(db, failed({ beehiivReason: 'request-refused' }));
  const unknown = await storeLead(db, failed({ beehiivReason: null }));

  const run = await api.call('POST', '/api/admin/leads/retry', {
    headers,
    body: { filter: { withoutInvalid: true } },
  });

  expect(run.json).toMatchObject({ total: 2 });
  const pending = await db('leads').where({ beehiivStatus: 'pending' }).orderBy('id').select('id');
  expect(pending.map(({ id }) => id)).toEqual([other.id, unknown.id].toSorted());
});

test('a bulk retry retries the leads of its filter, reports its progress, and ends', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const lead = await storeLead(db, failed());
  const other = await storeLead(db, failed({ formType: 'pre_sample' }));
  await storeLead(db, quarantined);
  const run = await api.call('POST', '/api/admin/leads/retry', {
    headers,
    body: { filter: { formType: 'pre_buy' } },
  });
  expect(run).toMatchObject({ status: 202, json: { total: 1, started: 1, operator: 'j.holt' } });

  // The lead waits even without a worker.
  expect(await db('leads').where({ id: lead.id }).first()).toMatchObject({
    beehiivStatus: 'pending',
    syncRound: 2,
  });
  expect(await db('leads').where({ id: other.id }).first()).toMatchObject({
    beehiivStatus: 'failed',
  });

  await db('leads').where({ id: lead.id }).update({ beehiivStatus: 'failed', nextAttemptAt: null });
  await stepBulkRetry(db, run.json.id);
  const { json } = await api.call('GET', '/api/admin/bulk-retries', { headers });
  expect(json.bulkRetries).toMatchObject([
    {
      started: 1,
      failed: 1,
      sent: 0,
      finishedAt: expect.any(String),
    },
  ]);

  const again = await api.call('GET', `/api/admin/leads?status=failed&bulkRetry=${run.json.id}`, {
    headers,
  });
  expect(again.json).toMatchObject({ counts: { total: 1 }, leads: [{ id: lead.id }] });
});

test('a bulk retry has at most a hundred leads pending at once', async ({ api, db }) => {
  const headers = await api.logIn();
  for (let n = 0; n < 130; n++) await storeLead(db, failed());
  const { json } = await api.call('POST', '/api/admin/leads/retry', {
    headers,
    body: { filter: {} },
  });

  expect(json).toMatchObject({ total: 130, started: 100 });
  expect(await stepBulkRetry(db, json.id)).toHaveLength(0);
  await db('leads')
    .whereIn('id', db('leads').select('id').where({ beehiivStatus: 'pending' }).limit(10))
    .update({ beehiivStatus: 'failed', nextAttemptAt: null });
  expect(await stepBulkRetry(db, json.id)).toHaveLength(10);
});

test('one bulk retry runs at a time, even if two start at once', async ({ api, db }) => {
  const headers = await api.logIn();
  await storeLead(db, failed());
  await storeLead(db, failed());
  const start = (body: object) => api.call('POST', '/api/admin/leads/retry', { headers, body });

  const both = await Promise.all([start({ filter: {} }), start({ filter: {} })]);

  expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([202, 409]));
  expect(both.find(({ status }) => status === 409)?.json).toMatchObject({
    type: 'urn:problem:bulk-retry-running',
    detail: 'j.holt retries 2 leads. Wait until it ends, or stop it first.',
  });
  expect((await start({ filter: {}, dryRun: true })).json).toMatchObject({
    title: 'Another bulk retry is in progress',
  });
  expect(await db('bulk_retries')).toHaveLength(1);

  await api.call('POST', `/api/admin/bulk-retries/${(await db('bulk_retries').first()).id}/stop`, {
    headers,
  });
  expect((await start({ filter: {} })).status).toBe(202);
});

test('a stopped bulk retry returns unattempted leads with their old response', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const leads = await Promise.all(
    [1, 2, 3].map(() => storeLead(db, failed({ beehiivResponse: '422 old' }))),
  );
  const [untouched, held, elsewhere] = leads.map(({ id }) => id) as [string, string, string];
  const mine = await storeLead(db);
  const { json } = await api.call('POST', '/api/admin/leads/retry', {
    headers,
    body: { filter: { ids: [untouched, held, elsewhere] } },
  });
  await db('leads')
    .where({ id: held })
    .update({ nextAttemptAt: new Date(0) });
  const run = await claimLead(db, { attemptId: randomUUID(), worker: 'w', choice: 'retry' });
  expect(run?.lead.id).toBe(held);
  await db('leads')
    .where({ id: elsewhere })
    .update({ beehiivStatus: 'failed', nextAttemptAt: null });
  await api.call('POST', '/api/admin/leads/retry', { headers, body: { ids: [elsewhere] } });

  const stopped = await api.call('POST', `/api/admin/bulk-retries/${json.id}/stop`, { headers });

  expect(stopped).toMatchObject({
    status: 200,
    json: { returned: 1, stoppedAt: expect.any(String), finishedAt: expect.any(String) },
  });
  const status = async (id: string) => (await db('leads').where({ id }).first()).beehiivStatus;
  expect(await db('leads').where({ id: untouched }).first()).toMatchObject({
    beehiivStatus: 'failed',
    beehiivResponse: '422 old',
  });
  expect([await status(held), await status(elsewhere), await status(mine.id)]).toEqual([
    'pending',
    'pending',
    'pending',
  ]);
  expect(
    (await api.call('POST', `/api/admin/bulk-retries/${json.id}/stop`, { headers })).status,
  ).toBe(409);
});

test('Stop keeps a quarantine lifted, so that no deletion of bots takes a clean repeat', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const submit = (elapsedMs: number) => {
    const body = { email: 'sam@reader.example', formType: 'pre_buy', elapsedMs };
    return api.call('POST', '/api/lead/subscribe', { body });
  };
  await submit(300);
  const { emailNormalised } = await db('leads').first();
  await judgeDue(db);
  const call = (path: string, body = {}) => api.call('POST', path, { headers, body });
  const filter = { status: 'quarantined' };
  const { json } = await call('/api/admin/leads/retry', { filter, withQuarantined: true });
  expect((await submit(30_000)).status).toBe(200);

  await call(`/api/admin/bulk-retries/${json.id}/stop`);
  await call('/api/admin/leads/delete-quarantined', { filter: {} });

  expect(await db('leads')).toMatchObject([{ beehiivStatus: 'failed', quarantineReason: null }]);
  expect(await db('people').where({ emailNormalised }).first('state')).toEqual({ state: 'none' });
  expect(await db('bulk_retries').first()).toMatchObject({ started: 1, failed: 0, returned: 1 });
});

test('the parts of a bulk retry add up to its leads, before and after Stop', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const call = (path: string, body = {}) => api.call('POST', path, { headers, body });
  const read = async () => {
    const { json } = await api.call('GET', '/api/admin/bulk-retries', { headers });
    const { total, sent, failed: failedAgain, waiting, notRetried } = json.bulkRetries[0];
    expect(sent + failedAgain + waiting + notRetried).toBe(total);
    return { sent, failed: failedAgain, waiting, notRetried };
  };
  for (let n = 0; n < 105; n++) await storeLead(db, failed());
  const { json } = await call('/api/admin/leads/retry', { filter: {} });
  const end = async (id: string, beehiivStatus: 'sent' | 'failed') => {
    await db('leads').where({ id }).update({ beehiivStatus, nextAttemptAt: null });
  };
  const begun = await db('leads').where({ beehiivStatus: 'pending' }).pluck('id');
  const [sent, again, slow, alsoSlow, gone, retried] = begun;
  await storeAttempts(db, [sent, slow, alsoSlow, gone, retried]);
  await db('lead_sync_attempts').update({ round: 2 });
  expect(await read()).toEqual({ sent: 0, failed: 0, waiting: 105, notRetried: 0 });
  await end(sent, 'sent');
  await end(again, 'failed');
  await stepBulkRetry(db, json.id);
  expect(await read()).toEqual({ sent: 1, failed: 1, waiting: 103, notRetried: 0 });

  await call(`/api/admin/bulk-retries/${json.id}/stop`);
  expect(await read()).toEqual({ sent: 1, failed: 1, waiting: 4, notRetried: 99 });
  await end(slow, 'failed');
  await end(alsoSlow, 'sent');
  await end(retried, 'failed');
  await call('/api/admin/leads/retry', { ids: [retried] });
  await db('leads').where({ id: gone }).delete();
  await settleStopped(db);

  expect(await read()).toEqual({ sent: 2, failed: 2, waiting: 0, notRetried: 101 });
  const { json: audit } = await api.call('GET', '/api/admin/audit?action=bulk-retry-stop', {
    headers,
  });
  expect(audit.actions).toMatchObject([{ detail: { notRetried: 99 } }]);
});

test('Stop leaves a lead alone that was retried by hand or paid for meanwhile', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const [alone, paid, rest] = await Promise.all([1, 2, 3].map(() => storeLead(db, failed())));
  const call = (path: string, body = {}) => api.call('POST', path, { headers, body });
  const { json } = await call('/api/admin/leads/retry', { filter: {} });
  await call('/api/admin/leads/retry', { ids: [alone!.id] });
  await db.transaction((trx) => wantTier(trx, paid!.email, 'premium', { isPayment: true }));

  const stopped = await call(`/api/admin/bulk-retries/${json.id}/stop`);

  expect(stopped.json).toMatchObject({ returned: 1 });
  const failedNow = await db('leads').where({ beehiivStatus: 'failed' }).pluck('id');
  expect(failedNow).toEqual([rest!.id]);
});

test('the timeline of a lead shows a bulk retry that was stopped before its turn', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const failedAt = new Date('2025-12-03T09:29:01.000Z');
  const { id } = await storeLead(db, failed({ failedAt }));
  await storeAttempts(db, [id]);
  const { json } = await api.call('POST', '/api/admin/leads/retry', {
    headers,
    body: { filter: {} },
  });

  const stopped = await api.call('POST', `/api/admin/bulk-retries/${json.id}/stop`, { headers });

  expect(stopped.json).toMatchObject({ returned: 1, finishedAt: expect.any(String) });
  const { history, lead } = (await api.call('GET', `/api/admin/leads/${id}`, { headers })).json;
  const details = history.map(({ detail }: { detail: string }) => detail);
  expect(details.filter((detail: string) => detail?.startsWith('bulk-retry'))).toEqual([
    'bulk-retry',
    'bulk-retry-stop',
  ]);
  const { leads } = (await api.call('GET', '/api/admin/leads', { headers })).json;
  // The time is the refusal's, not the stop's.
  expect([lead.failedAt, leads[0].failedAt]).toEqual([
    '2025-12-03T09:29:01.000Z',
    '2025-12-03T09:29:01.000Z',
  ]);
});

test('a bulk retry skips a lead that is corrected before its turn', async ({ api, db }) => {
  const headers = await api.logIn();
  for (let n = 0; n < 101; n++) await storeLead(db, failed());
  const { json } = await api.call('POST', '/api/admin/leads/retry', {
    headers,
    body: { filter: {} },
  });
  const mistyped = await db('leads').where({ beehiivStatus: 'failed' }).first('id');
  await db('leads').whereNot(mistyped).update({ beehiivStatus: 'failed', nextAttemptAt: null });
  const body = { email: 'right@reader.example' };
  await api.call('POST', `/api/admin/leads/${mistyped.id}/correct`, { headers, body });

  await stepBulkRetry(db, json.id);
  await stepBulkRetry(db, json.id);

  expect(await db('leads').where({ id: mistyped.id }).first()).toMatchObject({
    beehiivStatus: 'pending',
    syncRound: 2,
    urgency: 'new',
  });
  expect(await db('bulk_retries').first()).toMatchObject({ total: 101, started: 100, skipped: 1 });
});

test('a bulk retry can retry the leads whose refusals paused the sync', async ({ api, db }) => {
  const headers = await api.logIn();
  const [refused, before] = [await storeLead(db, failed()), await storeLead(db, failed())];
  await storeLead(db, failed());
  await db('sync_health').update({ refusalsFrom: new Date(Date.now() - 60_000) });
  const attempt = {
    kind: 'push',
    round: 1,
    number: 1,
    class: 'permanent',
    tookMs: 900,
    worker: 'w',
  } as const;
  // The first refusal began before the pause, and another lead was refused shortly before it.
  for (const [{ id: leadId }, agoMs] of [[refused, 60_800] as const, [before, 90_000] as const]) {
    const startedAt = new Date(Date.now() - agoMs);
    await db('lead_sync_attempts').insert({ ...attempt, id: randomUUID(), leadId, startedAt });
  }

  const health = await api.call('GET', '/api/admin/sync', { headers });
  const run = await api.call('POST', '/api/admin/leads/retry', {
    headers,
    body: { filter: { failedInRefusalPause: true } },
  });

  expect(health.json.failedInRefusalPause).toMatchObject({ count: 1 });
  expect(run.json).toMatchObject({ total: 1 });
});
