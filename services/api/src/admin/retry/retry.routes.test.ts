import { storeLead } from '@site/testing/builders';
import type { LeadRow } from '@site/platform/database/tables';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';

const FAILED: Partial<LeadRow> = {
  beehiivStatus: 'failed',
  nextAttemptAt: null,
  beehiivResponse: '400 no such domain',
};

test('sending a quarantined lead is recorded as that, and a retry is not', async ({ api, db }) => {
  const headers = await api.logIn();
  const quarantined = await storeLead(db, {
    ...FAILED,
    quarantineReason: 'the hidden field was filled',
  });
  const rejected = await storeLead(db, FAILED);

  for (const { id } of [quarantined, rejected])
    await api.call('POST', '/api/admin/leads/retry', { headers, body: { ids: [id] } });

  const { json } = await api.call('GET', '/api/admin/audit?action=retry', { headers });
  expect(json.actions).toMatchObject([
    { subject: rejected.id, detail: { retried: 1 } },
    { subject: quarantined.id, detail: { retried: 1, fromQuarantine: true } },
  ]);
  expect(json.actions[0].detail).not.toHaveProperty('fromQuarantine');
  const timeline = await api.call('GET', `/api/admin/leads/${quarantined.id}`, { headers });
  expect(timeline.json.history).toMatchObject([{ kind: 'action', detail: 'send-quarantined' }]);
});

test('sending chosen quarantined leads together is recorded as that', async ({ api, db }) => {
  const headers = await api.logIn();
  const quarantined = await storeLead(db, {
    ...FAILED,
    quarantineReason: 'the hidden field was filled',
  });
  const rejected = await storeLead(db, FAILED);

  const run = await api.call('POST', '/api/admin/leads/retry', {
    headers,
    body: {
      filter: { ids: [quarantined.id, rejected.id], status: 'quarantined' },
      withQuarantined: true,
    },
  });

  expect(run.json).toMatchObject({ total: 1, filter: { selected: 2, status: 'quarantined' } });
  const { json } = await api.call('GET', '/api/admin/audit?action=bulk-retry', { headers });
  expect(json.actions).toMatchObject([{ detail: { total: 1, fromQuarantine: true } }]);
  const timeline = await api.call('GET', `/api/admin/leads/${quarantined.id}`, { headers });
  expect(timeline.json.history).toMatchObject([{ kind: 'action', detail: 'send-quarantined' }]);
});

test('a retry of a corrected lead is refused, with the lead to retry instead', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const mistyped = await storeLead(db, { email: 'oliver@gmial.example', ...FAILED });
  const body = { email: 'oliver@gmail.example' };
  const { json } = await api.call('POST', `/api/admin/leads/${mistyped.id}/correct`, {
    headers,
    body,
  });

  const answer = await api.call('POST', '/api/admin/leads/retry', {
    headers,
    body: { ids: [mistyped.id] },
  });

  expect(answer).toMatchObject({ status: 409, json: { type: 'urn:problem:already-corrected' } });
  expect(answer.json.detail).toContain(json.id);
  expect(await db('leads').where({ id: mistyped.id }).first()).toMatchObject({
    beehiivStatus: 'failed',
    nextAttemptAt: null,
  });
  expect(await db('operator_actions').where({ action: 'retry' })).toEqual([]);
  const right = await api.call('POST', '/api/admin/leads/retry', {
    headers,
    body: { ids: [json.id] },
  });
  expect(right.json).toEqual({ retried: 1, skipped: 0 });
});

test('a corrected lead is skipped, and the others are retried', async ({ api, db }) => {
  const headers = await api.logIn();
  const mistyped = await storeLead(db, FAILED);
  const other = await storeLead(db, FAILED);
  const body = { email: 'right@reader.example' };
  await api.call('POST', `/api/admin/leads/${mistyped.id}/correct`, { headers, body });

  const ids = [mistyped.id, other.id];
  const answer = await api.call('POST', '/api/admin/leads/retry', { headers, body: { ids } });

  expect(answer.json).toEqual({ retried: 1, skipped: 1 });
  expect(await db('leads').where({ id: mistyped.id }).first()).toMatchObject({
    beehiivStatus: 'failed',
  });
});
