import { storeLead } from '@site/local-infra/testing/builders';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { CONSENT_TEXTS } from '@site/schema/consent';
import { test } from '../../testing/api.fixture.ts';
import { TABLES_OF_A_PERSON } from './privacy.repository.ts';

const email = 'Priya@Reader.example';
const subscription = (status: string) => ({
  id: randomUUID(),
  email,
  stripeSubscriptionId: 'sub_1',
  stripeCustomerId: 'cus_1',
  status,
  plan: 'monthly',
  amountPence: 100,
  snapshotAt: new Date(),
});

describe('the privacy desk', () => {
  test('exports everything of one person, with the wording they agreed to, and nothing of others', async ({
    api,
    db,
  }) => {
    const headers = await api.logIn();
    const lead = await storeLead(db, { email });
    await storeLead(db);
    await db('lead_sync_attempts').insert({
      id: randomUUID(),
      leadId: lead.id,
      kind: 'push',
      round: 1,
      number: 1,
      worker: 'w',
    });
    await db('sample_requests').insert({ id: randomUUID(), email: email.toUpperCase() });

    const { status, json } = await api.call('POST', '/api/admin/people/export', { headers, body: { email } });

    expect(status).toBe(200);
    expect(json.tables.leads).toMatchObject([{ id: lead.id }]);
    expect(json.tables.lead_sync_attempts).toHaveLength(1);
    expect(json.tables.sample_requests).toHaveLength(1);
    expect(json.consent).toMatchObject([{ agreed: true, wording: CONSENT_TEXTS['2025-12'] }]);
  });

  test('erases rows at once, leaves a receipt, and hands the newsletter’s part to the workers', async ({ api, db }) => {
    const headers = await api.logIn();
    await storeLead(db, { email });
    const other = await storeLead(db);
    await db('subscriptions').insert(subscription('canceled'));

    const answer = await api.call('POST', '/api/admin/people/erase', { headers, body: { email } });

    expect(answer).toMatchObject({
      status: 202,
      json: { erased: { leads: 1, subscriptions: 1 }, doneAt: null, kept: expect.stringContaining('Stripe') },
    });
    expect(await db('leads').pluck('id')).toEqual([other.id]);
    expect(await db('erasures').first()).toMatchObject({ emailNormalised: email.toLowerCase() });
    const actions = JSON.stringify(await db('operator_actions').select());
    expect(actions).toContain(answer.json.id);
    expect(actions.toLowerCase()).not.toContain('priya');
    const again = await api.call('POST', '/api/admin/people/erase', { headers, body: { email } });
    expect(again.json.id).toBe(answer.json.id);
  });

  test('refuses while a subscription is live, and erases nothing', async ({ api, db }) => {
    const headers = await api.logIn();
    await storeLead(db, { email });
    await db('subscriptions').insert(subscription('trialing'));

    expect(await api.call('POST', '/api/admin/people/erase', { headers, body: { email } })).toMatchObject({
      status: 409,
      json: { type: 'urn:problem:subscription-live' },
    });
    expect(await db('leads').count()).toEqual([{ count: 1 }]);
  });

  test('knows every table that has an address or belongs to a lead', async ({ db }) => {
    const { rows } = await db.raw(
      `select distinct table_name as name from information_schema.columns
       where table_schema = 'public' and (column_name ~ 'email' or column_name = 'lead_id')
         and table_name not in ('erasures', 'address_leases', 'lead_changes')`,
    );
    const missing = rows
      .map((row: { name: string }) => row.name)
      .filter((name: string) => !TABLES_OF_A_PERSON.includes(name));
    expect(missing).toEqual([]);
  });
});
