import { storeCheckout as storeAny, storeSubscription } from '@site/testing/money-builders';
import { storeLead } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { OPERATOR, test } from '../../testing/api.fixture.ts';

const at = (text: string) => new Date(text);
const JULY = 'startDate=2026-07-01&endDate=2026-07-31';

const storeCheckout = (db: Database, id: string, given: object) =>
  storeAny(db, {
    stripeCheckoutSessionId: id,
    startedAt: at('2026-07-09T09:00:00Z'),
    ...given,
  });

test('abandoned checkouts list a person once, with plan, origin and consent', async ({
  operator,
  db,
}) => {
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

  const { json } = await operator.get(`checkouts/abandoned?${JULY}`);

  expect(json).toMatchObject({
    isCapped: false,
    people: [
      {
        stripeCheckoutSessionId: 'cs_new',
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
        stripeCheckoutSessionId: 'cs_fatima',
        name: 'Fatima',
        leadId: fatima.id,
        channel: 'partner.example',
        agreedAt: null,
        plan: null,
      },
      { stripeCheckoutSessionId: 'cs_nobody', email: null, leadId: null, channel: null },
    ],
  });
  expect(json.people).toHaveLength(3);
});

test('an abandoned offer of the sample is on its person and under the filter', async ({
  operator,
  db,
}) => {
  const email = 'ada@acquirers.example';
  const submittedAt = at('2026-07-01T09:00:00Z');
  const older = await storeLead(db, { email, formType: 'pre_sample', submittedAt });
  const newer = await storeLead(db, { email, submittedAt: at('2026-07-02T09:00:00Z') });
  await storeLead(db);
  await storeCheckout(db, 'cs_sample', { email: 'Ada@acquirers.example' });
  const get = async (path: string) => (await operator.get(path)).json;

  const money = await get('checkouts/abandoned');
  const { leads } = await get('leads?checkout=abandoned');
  const panels = await Promise.all([older, newer].map(({ id }) => get(`leads/${id}/person`)));

  expect(money.people).toMatchObject([{ leadId: newer.id }]);
  expect(leads).toMatchObject([{ id: newer.id }]);
  for (const { checkouts } of panels) expect(checkouts).toMatchObject([{ isAbandoned: true }]);
});

test('a checkout counts as abandoned only if no other was completed', async ({ operator, db }) => {
  const lead = await storeLead(db);
  await storeCheckout(db, 'cs_gone', { email: 'ada@acquirers.example' });
  await storeCheckout(db, 'cs_by_lead', { leadId: lead.id });
  await storeCheckout(db, 'cs_by_lead_paid', {
    state: 'complete',
    leadId: lead.id,
    email: 'x@acquirers.example',
  });
  await storeCheckout(db, 'cs_by_email', { email: 'X@acquirers.example' });

  const { json } = await operator.get('checkouts/abandoned');

  expect(json.people).toMatchObject([{ stripeCheckoutSessionId: 'cs_gone' }]);
  expect(json.people).toHaveLength(1);
});

test('a contact is noted once, with who noted it, and only for an abandoned checkout', async ({
  operator,
  db,
}) => {
  const lead = await storeLead(db);
  const [left, paid, unknown] = [randomUUID(), randomUUID(), randomUUID()];
  await storeCheckout(db, 'cs_1', { id: left, leadId: lead.id });
  await storeCheckout(db, 'cs_paid', { id: paid, state: 'complete' });
  const note = async (id: string) => (await operator.post(`money/calls/${id}/contacted`)).status;

  const undo = async (id: string) => (await operator.remove(`money/calls/${id}/contacted`)).status;

  const statuses = [await note(left), await note(left), await note(paid), await note(unknown)];
  const { json } = await operator.get('checkouts/abandoned');

  expect(statuses).toEqual([204, 204, 404, 404]);
  expect(json.people).toMatchObject([{ id: left, contactedAt: expect.any(String) }]);
  expect(await db('operator_actions').where({ action: 'contact' })).toMatchObject([
    { operator: OPERATOR.username, subject: lead.id },
  ]);

  expect([await undo(left), await undo(left), await undo(unknown)]).toEqual([204, 204, 404]);
  const undone = await operator.get('checkouts/abandoned');
  expect(undone.json.people).toMatchObject([{ id: left, contactedAt: null }]);
  expect(await db('operator_actions').where({ action: 'contact-undone' })).toMatchObject([
    { subject: lead.id },
  ]);
});

const storeNotOpened = (db: Database, given: object) =>
  storeCheckout(db, '', {
    stripeCheckoutSessionId: null,
    state: 'not-opened',
    hindrance: 'stripe-away',
    ...given,
  });

test('a checkout that did not open is listed with its reason until one is completed', async ({
  operator,
  db,
}) => {
  const lead = await storeLead(db);
  const email = 'rung@acquirers.example';
  const paidBefore = { state: 'complete', startedAt: at('2026-07-01T09:00:00Z'), email };
  await storeCheckout(db, 'cs_before', paidBefore);
  await storeNotOpened(db, { email, plan: 'monthly', amountPence: 23_900 });
  await storeNotOpened(db, { email: lead.email, leadId: lead.id, hindrance: 'wrong-setting' });
  const list = async () => (await operator.get('checkouts/abandoned')).json.people;

  expect(await list()).toHaveLength(2);
  expect(await list()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        email,
        hindrance: 'stripe-away',
        stripeCheckoutSessionId: null,
        pence: 23_900,
      }),
      expect.objectContaining({ leadId: lead.id, hindrance: 'wrong-setting' }),
    ]),
  );

  // Opened before, and completed after.
  await storeCheckout(db, 'cs_paid', { ...paidBefore, startedAt: at('2026-07-09T08:00:00Z') });
  expect(await list()).toMatchObject([{ leadId: lead.id }]);
  await storeCheckout(db, 'cs_lead', { state: 'complete', leadId: lead.id });
  expect(await list()).toEqual([]);
});

test('an open checkout is listed for a day, and changes no figure', async ({ operator, db }) => {
  const lead = await storeLead(db, { fullName: 'Lucy' });
  const open = async (id: string, given: object = {}) =>
    storeCheckout(db, id, { state: 'open', startedAt: new Date(), ...given });
  await open('cs_open', { email: lead.email, plan: 'monthly', amountPence: 23_900 });
  await open('cs_yesterday', {
    email: 'y@x.example',
    startedAt: new Date(Date.now() - 90_000_000),
  });
  await open('cs_link', { email: 'link@x.example', isPaymentLink: true });
  await open('cs_other', { email: 'paid@x.example' });
  const won = { state: 'complete', startedAt: new Date() };
  await storeCheckout(db, 'cs_paid', { ...won, email: 'Paid@x.example' });
  await open('cs_typo', { email: 'tpyo@x.example', visits: ['visit'] });
  await storeCheckout(db, 'cs_same_visit', { ...won, visits: ['visit'] });
  const list = async () => (await operator.get('checkouts/abandoned')).json.people;

  const [opened, ...others] = await list();
  expect(others).toEqual([]);
  expect(opened).toMatchObject({
    stripeCheckoutSessionId: 'cs_open',
    isOpen: true,
    leadId: lead.id,
    name: 'Lucy',
    pence: 23_900,
  });
  expect(await db('abandoned_checkouts')).toEqual([]);
  const filtered = await operator.get('leads?checkout=abandoned');
  expect(filtered.json.counts.total).toBe(0);

  await db('checkouts')
    .where({ stripeCheckoutSessionId: 'cs_open' })
    .update({ state: 'abandoned' });
  expect(await list()).toMatchObject([{ stripeCheckoutSessionId: 'cs_open', isOpen: false }]);
});

test.for(['open', 'abandoned'] as const)(
  'a checkout of a former payer who returns is listed while it is %s',
  async (state, { operator, db }) => {
    const email = 'back@x.example';
    const lastYear = new Date(Date.now() - 365 * 86_400_000);
    await storeCheckout(db, 'cs_paid', { email, state: 'complete', startedAt: lastYear });
    await storeCheckout(db, 'cs_back', { email, state, startedAt: new Date() });
    const list = async () => (await operator.get('checkouts/abandoned')).json.people;
    expect(await list()).toMatchObject([{ stripeCheckoutSessionId: 'cs_back' }]);

    await storeSubscription(db, { email });

    expect(await list()).toEqual([]);
  },
);
