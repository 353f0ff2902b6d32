// @module-tag long
import { storeLead } from '@site/testing/builders';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import { startMailServer } from '../../testing/mail-server.fixture.ts';

test('set-up shows whether each step works, as workers and Stripe report it', async ({
  operator,
  db,
}) => {
  const read = async () => (await operator.get('set-up')).json;
  expect(await read()).toMatchObject({
    stripe: { isLive: false },
    lastEventAt: null,
    beehiiv: { answer: null, checkedAt: null },
    missingFields: null,
    firstSentAt: null,
  });

  const checkedAt = new Date('2025-12-18T09:28:00Z');
  await db('sync_health').update({
    beehiivAnswer: 'key-refused',
    beehiivCheckedAt: checkedAt,
    missingFields: ['gclid'],
  });
  expect(await read()).toMatchObject({
    beehiiv: { answer: 'key-refused', checkedAt: checkedAt.toISOString() },
    missingFields: null,
  });

  const beehiivSentAt = new Date('2025-12-18T10:00:00Z');
  await db('sync_health').update({ beehiivAnswer: 'accepted' });
  await storeLead(db, { beehiivStatus: 'sent', beehiivSentAt, nextAttemptAt: null });
  expect(await read()).toMatchObject({
    missingFields: ['gclid'],
    firstSentAt: beehiivSentAt.toISOString(),
  });
});

test.for([
  [401, 'key'],
  [403, 'key'],
  [402, 'time'],
  [500, 'time'],
] as const)(
  'set-up shows the remedy when Stripe answers %i',
  async ([status, needs], { newApi, sandbox }) => {
    const api = await newApi({ STRIPE_API_URL: sandbox.url });
    const headers = await api.logIn();
    sandbox.setFault({ target: 'stripe', mode: 'status', status });

    const { json } = await api.call('GET', '/api/admin/set-up', { headers });

    expect(json.stripe.failure).toMatchObject({ needs });
  },
);

test('set-up asks the worker for a check', async ({ operator, db }) => {
  const { status } = await operator.post('set-up/check');

  expect(status).toBe(202);
  expect((await db('sync_health').first()).beehiivCheckAskedAt).toBeInstanceOf(Date);
});

test('POST /api/admin/mail/test sends a mail at once, or answers with the failure', async ({
  newApi,
  db,
  onTestFinished,
}) => {
  const server = await startMailServer();
  onTestFinished(() => server.stop());
  const api = await newApi({ SMTP_URL: server.url, ALERT_EMAIL: 'owner@ledger.example' });
  const headers = await api.logIn();
  const send = () => api.call('POST', '/api/admin/mail/test', { headers });

  const sent = await send();
  server.behaviour.refuses = true;
  const refused = await send();
  const anonymous = await api.call('POST', '/api/admin/mail/test');

  expect(sent).toMatchObject({ status: 200, json: { to: ['owner@ledger.example'] } });
  expect(server.mails).toMatchObject([{ to: ['owner@ledger.example'], subject: 'A test email' }]);
  expect(refused).toMatchObject({ status: 409, json: { type: 'urn:problem:mail-failed' } });
  expect(refused.json.detail).toMatch(
    /^The mail server did not accept it: 550 .*MAIL_FROM and ALERT_EMAIL\.$/,
  );
  expect(refused.text).not.toContain('secret@');
  expect(anonymous.status).toBe(401);
  expect(await db('operator_actions').where({ action: 'test-mail' })).toHaveLength(1);
});
