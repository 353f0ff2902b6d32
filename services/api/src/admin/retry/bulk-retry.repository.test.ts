import {
  buildOutcome,
  judgeDue,
  storeAttempt,
  storeAttempts,
  storeLead,
  wantTier,
} from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { claimLead } from '@site/platform/outbox/claim';
import { recordOutcome } from '@site/platform/outbox/outcome';
import { stepBulkRetry } from '@site/platform/outbox/retry';
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

/** Ends the round of a lead of a bulk retry. */
async function end(db: Database, id: string, move: 'sent' | 'failed'): Promise<void> {
  await db('leads')
    .where({ id })
    .update({ nextAttemptAt: new Date(0) });
  const run = await claimLead(db, { attemptId: randomUUID(), worker: 'w', choice: 'retry' });
  expect(run?.lead.id).toBe(id);
  const outcome = buildOutcome({ class: move === 'sent' ? 'accepted' : 'permanent' });
  await recordOutcome(db, run!, outcome, move === 'sent' ? { move, subscriber: null } : { move });
}

test('a bulk retry’s estimate has number and duration, and changes nothing', async ({
  operator,
  db,
}) => {
  await storeLead(db, failed({ beehiivReason: 'email-invalid' }));
  await storeLead(db, failed({ formType: 'pre_sample' }));
  await storeLead(db, quarantined);
  await storeLead(db);
  await db('rate_limiter').update({ requestsPerMinute: 60 });

  const body = { filter: { formType: 'pre_buy' }, dryRun: true };
  const dry = await operator.post('leads/retry', body);
  const all = await operator.post('leads/retry', { ...body, withQuarantined: true });

  const valid = await operator.post('leads/retry', {
    ...body,
    filter: { ...body.filter, withoutInvalid: true },
  });

  // One lead is pending already, so two requests at one a second.
  expect(dry.json).toEqual({ count: 1, invalid: 1, estimateMs: 2_000 });
  expect(all.json).toEqual({ count: 2, invalid: 1, estimateMs: 3_000 });
  expect(valid.json).toEqual({ count: 0, invalid: 1, estimateMs: 1_000 });
  expect(await db('leads').where({ beehiivStatus: 'failed' }).count()).toEqual([{ count: 3 }]);
});

test('a bulk retry leaves out leads with a refused email, if asked to', async ({
  operator,
  db,
}) => {
  await storeLead(db, failed({ beehiivReason: 'email-invalid' }));
  const other = await storeLead(db, failed({ beehiivReason: 'request-refused' }));
  const unknown = await storeLead(db, failed({ beehiivReason: null }));

  const run = await operator.post('leads/retry', { filter: { withoutInvalid: true } });

  expect(run.json).toMatchObject({ total: 2 });
  const pending = await db('leads').where({ beehiivStatus: 'pending' }).orderBy('id').select('id');
  expect(pending.map(({ id }) => id)).toEqual([other.id, unknown.id].toSorted());
});

test('a bulk retry retries the leads of its filter, reports its progress, and ends', async ({
  operator,
  db,
}) => {
  const lead = await storeLead(db, failed());
  const other = await storeLead(db, failed({ formType: 'pre_sample' }));
  await storeLead(db, quarantined);
  const run = await operator.post('leads/retry', { filter: { formType: 'pre_buy' } });
  expect(run).toMatchObject({ status: 202, json: { total: 1, waiting: 1, operator: 'j.holt' } });

  // The lead waits even without a worker.
  expect(await db('leads').where({ id: lead.id }).first()).toMatchObject({
    beehiivStatus: 'pending',
    syncRound: 2,
  });
  expect(await db('leads').where({ id: other.id }).first()).toMatchObject({
    beehiivStatus: 'failed',
  });

  await end(db, lead.id, 'failed');
  await stepBulkRetry(db);
  const { json } = await operator.get('bulk-retries');
  expect(json.bulkRetries).toMatchObject([
    { total: 1, failed: 1, sent: 0, waiting: 0, finishedAt: expect.any(String) },
  ]);

  const again = await operator.get(`leads?status=failed&bulkRetry=${run.json.id}`);
  expect(again.json).toMatchObject({ counts: { total: 1 }, leads: [{ id: lead.id }] });
});

test('one bulk retry runs at a time, even if two start at once', async ({ operator, db }) => {
  await storeLead(db, failed());
  await storeLead(db, failed());
  const start = (body: object) => operator.post('leads/retry', body);

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

  await operator.post(`bulk-retries/${(await db('bulk_retries').first()).id}/stop`);
  expect((await start({ filter: {} })).status).toBe(202);
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
  expect((await submit(300)).status).toBe(200);
  await call('/api/admin/leads/delete-quarantined', { filter: {} });

  expect(await db('leads')).toMatchObject([{ beehiivStatus: 'failed', quarantineReason: null }]);
  expect(await db('people').where({ emailNormalised }).first('state')).toEqual({ state: 'none' });
  expect(await db('bulk_retries').first()).toMatchObject({ failed: 0, notRetried: 1 });
});

test('the parts of a bulk retry add up, and Stop gives back what has no attempt', async ({
  api,
  operator,
  db,
}) => {
  const { headers } = operator;
  const call = (path: string, body = {}) => api.call('POST', path, { headers, body });
  const read = async () => {
    const { json } = await operator.get('bulk-retries');
    const { total, sent, failed: failedAgain, waiting, notRetried } = json.bulkRetries[0];
    expect(sent + failedAgain + waiting + notRetried).toBe(total);
    return { sent, failed: failedAgain, waiting, notRetried };
  };
  const leads = [];
  for (let n = 0; n < 7; n++) leads.push(await storeLead(db, failed()));
  const [sent, again, slow, alsoSlow, gone, retried, untouched] = leads.map(({ id }) => id);
  const { json } = await call('/api/admin/leads/retry', { filter: {} });
  expect(await read()).toEqual({ sent: 0, failed: 0, waiting: 7, notRetried: 0 });
  await end(db, sent!, 'sent');
  await end(db, again!, 'failed');
  await stepBulkRetry(db);
  expect(await read()).toEqual({ sent: 1, failed: 1, waiting: 5, notRetried: 0 });
  await storeAttempts(db, [slow!, alsoSlow!, gone!, retried!]);
  await db('lead_sync_attempts').where({ worker: 'test' }).update({ round: 2 });

  const stop = () => call(`/api/admin/bulk-retries/${json.id}/stop`);
  expect([(await stop()).status, (await stop()).status]).toEqual([200, 409]);
  expect(await read()).toEqual({ sent: 1, failed: 1, waiting: 4, notRetried: 1 });
  const back = db('leads').where({ id: untouched });
  expect(await back).toMatchObject([{ beehiivStatus: 'failed', beehiivResponse: '422 no' }]);
  await end(db, slow!, 'failed');
  await end(db, alsoSlow!, 'sent');
  await end(db, retried!, 'failed');
  await call('/api/admin/leads/retry', { ids: [retried] });
  await db('leads').where({ id: gone }).delete();
  await stepBulkRetry(db);

  expect(await read()).toEqual({ sent: 2, failed: 3, waiting: 0, notRetried: 2 });
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

  expect(stopped.json).toMatchObject({ waiting: 2, notRetried: 1 });
  const failedNow = await db('leads').where({ beehiivStatus: 'failed' }).pluck('id');
  expect(failedNow).toEqual([rest!.id]);
});

test('a lead that was corrected since is no longer part of a bulk retry', async ({ api, db }) => {
  const headers = await api.logIn();
  const { id } = await storeLead(db, failed());
  const call = (path: string, body: object) => api.call('POST', path, { headers, body });
  await call('/api/admin/leads/retry', { filter: {} });
  await call(`/api/admin/leads/${id}/correct`, { email: 'right@reader.example' });

  await stepBulkRetry(db);

  expect(await db('leads').first()).toMatchObject({ beehiivStatus: 'pending', urgency: 'new' });
  const run = await db('bulk_retries').first();
  expect(run).toMatchObject({ notRetried: 1, finishedAt: expect.any(Date) });
});

test('a bulk retry can retry the leads whose refusals paused the sync', async ({
  operator,
  db,
}) => {
  const [refused, before] = [await storeLead(db, failed()), await storeLead(db, failed())];
  await storeLead(db, failed());
  await db('sync_health').update({ refusalsFrom: new Date(Date.now() - 60_000) });
  // The first refusal began before the pause, and another lead was refused shortly before it.
  for (const [{ id: leadId }, agoMs] of [[refused, 60_800] as const, [before, 90_000] as const]) {
    const startedAt = new Date(Date.now() - agoMs);
    await storeAttempt(db, { leadId, class: 'permanent', tookMs: 900, startedAt });
  }

  const health = await operator.get('sync');
  const run = await operator.post('leads/retry', { filter: { failedInRefusalPause: true } });

  expect(health.json.failedInRefusalPause).toMatchObject({ count: 1 });
  expect(run.json).toMatchObject({ total: 1 });
});
