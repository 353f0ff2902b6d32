import { storeLead } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { expect } from 'vitest';
import { OPERATOR, test } from '../../testing/api.fixture.ts';

const at = (text: string) => new Date(text);
const JULY = 'startDate=2026-07-01&endDate=2026-07-31';

const storeCheckout = (db: Database, id: string, given: object) =>
  db('checkouts').insert({
    stripeCheckoutSessionId: id,
    state: 'abandoned',
    startedAt: at('2026-07-09T09:00:00Z'),
    snapshotAt: at('2026-07-10T09:00:00Z'),
    ...given,
  });

test('the list of abandoned checkouts needs a session, as does a note of a contact', async ({
  api,
}) => {
  expect((await api.call('GET', '/api/admin/checkouts/abandoned')).status).toBe(401);
  for (const method of ['POST', 'DELETE'])
    expect((await api.call(method, '/api/admin/checkouts/cs_1/contacted')).status).toBe(401);
});

test('abandoned checkouts list a person once, with plan, origin and consent', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const lucy = await storeLead(db, {
    fullName: 'Lucy',
    visitUtmSource: 'linkedin',
    consentMarketing: true,
  });
  const referrer = 'https://www.partner.example/letter';
  const fatima = await storeLead(db, {
    fullName: 'Fatima',
    email: 'f@x.example',
    referrer,
    consentMarketing: false,
  });
  const offer = { plan: 'annual', amountPence: 215_100, recoveryUrl: 'https://stripe.example/r/1' };
  await storeCheckout(db, 'cs_new', {
    ...offer,
    leadId: lucy.id,
    startedAt: at('2026-07-16T09:00:00Z'),
  });
  await storeCheckout(db, 'cs_before', { email: lucy.email });
  // Known only by the email.
  await storeCheckout(db, 'cs_fatima', {
    email: 'F@x.example',
    startedAt: at('2026-07-08T09:00:00Z'),
  });
  await storeCheckout(db, 'cs_nobody', { startedAt: at('2026-07-07T09:00:00Z') });
  await storeCheckout(db, 'cs_june', { startedAt: at('2026-06-30T22:59:59Z') });

  const { json } = await api.call('GET', `/api/admin/checkouts/abandoned?${JULY}`, { headers });

  expect(json).toMatchObject({
    isCapped: false,
    people: [
      {
        id: 'cs_new',
        name: 'Lucy',
        leadId: lucy.id,
        before: ['2026-07-09T09:00:00.000Z'],
        plan: 'annual',
        pence: 215_100,
        channel: 'LinkedIn',
        agreedAt: expect.any(String),
        contactedAt: null,
      },
      {
        id: 'cs_fatima',
        name: 'Fatima',
        leadId: fatima.id,
        channel: 'partner.example',
        agreedAt: null,
        plan: null,
      },
      { id: 'cs_nobody', email: null, leadId: null, channel: null },
    ],
  });
  expect(json.people).toHaveLength(3);
});

test('an abandoned offer of the sample has the sample as its origin', async ({ api, db }) => {
  const headers = await api.logIn();
  const referrer = 'http://127.0.0.1:3000/';
  const lead = await storeLead(db, { formType: 'pre_sample', referrer });
  await storeCheckout(db, 'cs_sample', { email: lead.email });

  const { json } = await api.call('GET', '/api/admin/checkouts/abandoned', { headers });

  expect(json.people).toMatchObject([{ id: 'cs_sample', channel: 'Free sample' }]);
});

test('a checkout counts as abandoned only if no other was completed', async ({ api, db }) => {
  const headers = await api.logIn();
  const lead = await storeLead(db);
  await storeCheckout(db, 'cs_gone', { email: 'ada@acquirers.example' });
  await storeCheckout(db, 'cs_by_lead', { leadId: lead.id });
  await storeCheckout(db, 'cs_by_lead_paid', {
    state: 'complete',
    leadId: lead.id,
    email: 'x@acquirers.example',
  });
  await storeCheckout(db, 'cs_by_email', { email: 'X@acquirers.example' });

  const { json } = await api.call('GET', '/api/admin/checkouts/abandoned', { headers });

  expect(json.people.map(({ id }: { id: string }) => id)).toEqual(['cs_gone']);
});

test('a contact is noted once, with who noted it, and only for an abandoned checkout', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const lead = await storeLead(db);
  await storeCheckout(db, 'cs_1', { leadId: lead.id });
  await storeCheckout(db, 'cs_paid', { state: 'complete' });
  const note = async (id: string) =>
    (await api.call('POST', `/api/admin/checkouts/${id}/contacted`, { headers })).status;

  const undo = async (id: string) =>
    (await api.call('DELETE', `/api/admin/checkouts/${id}/contacted`, { headers })).status;

  const statuses = [
    await note('cs_1'),
    await note('cs_1'),
    await note('cs_paid'),
    await note('cs_2'),
  ];
  const { json } = await api.call('GET', '/api/admin/checkouts/abandoned', { headers });

  expect(statuses).toEqual([204, 204, 404, 404]);
  expect(json.people).toMatchObject([{ id: 'cs_1', contactedAt: expect.any(String) }]);
  expect(await db('operator_actions').where({ action: 'contact-abandoned' })).toMatchObject([
    { operator: OPERATOR.username, subject: lead.id },
  ]);

  expect([await undo('cs_1'), await undo('cs_1'), await undo('cs_2')]).toEqual([204, 204, 404]);
  const undone = await api.call('GET', '/api/admin/checkouts/abandoned', { headers });
  expect(undone.json.people).toMatchObject([{ id: 'cs_1', contactedAt: null }]);
  expect(await db('operator_actions').where({ action: 'contact-undone' })).toMatchObject([
    { subject: lead.id },
  ]);
});
