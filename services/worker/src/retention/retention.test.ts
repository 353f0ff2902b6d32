import { storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { describe, expect } from 'vitest';
import { deleteOldData } from './retention.ts';

const DAY_MS = 86_400_000;
const RETENTION = { networkDataDays: 90, abandonedCheckoutDays: 180, parkedEventDays: 90, failedLeadDays: 365 };
const network = { ipAddress: '192.0.2.1', userAgent: 'Mozilla/5.0' };

describe('deleteOldData', () => {
  test('clears old IP addresses and user agents, and keeps the rest of the lead', async ({ db }) => {
    const old = await storeLead(db, { ...network, submittedAt: new Date(Date.now() - 91 * DAY_MS) });
    const young = await storeLead(db, { ...network, submittedAt: new Date(Date.now() - 89 * DAY_MS) });

    await deleteOldData({ db, retention: RETENTION }, new AbortController().signal);

    expect(await db('leads').where({ id: old.id }).first()).toMatchObject({
      ipAddress: null,
      userAgent: null,
      fullName: 'Priya Raman',
    });
    expect(await db('leads').where({ id: young.id }).first()).toMatchObject(network);
  });

  test('deletes repeat keys that have ended, and no others', async ({ db }) => {
    const lead = await storeLead(db);
    const key = { leadId: lead.id, emailNormalised: lead.emailNormalised };
    await db('lead_repeats').insert([
      { ...key, scope: 'form:pre_buy', until: new Date(Date.now() - 1_000) },
      { ...key, scope: 'key:a', until: new Date(Date.now() + DAY_MS) },
    ]);

    await deleteOldData({ db, retention: RETENTION }, new AbortController().signal);

    expect(await db('lead_repeats').select('scope')).toEqual([{ scope: 'key:a' }]);
  });

  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  const never = new AbortController().signal;

  test('removes addresses and recovery links of old unpaid checkouts, and open ones whose end was never reported', async ({
    db,
  }) => {
    const toId = (row: { stripeCheckoutSessionId: string }) => row.stripeCheckoutSessionId;
    const checkout = (id: string, state: string, days: number) => ({
      stripeCheckoutSessionId: id,
      email: 'ada@reader.example',
      recoveryUrl: 'https://stripe.example/r',
      state,
      startedAt: daysAgo(days),
      snapshotAt: new Date(),
    });
    await db('checkouts').insert([
      checkout('old', 'abandoned', 181),
      checkout('young', 'abandoned', 179),
      checkout('paid', 'complete', 181),
    ]);
    await db('open_checkouts').insert([
      { stripeCheckoutSessionId: 'lost', emailNormalised: 'ada@reader.example', openedAt: daysAgo(181) },
      { stripeCheckoutSessionId: 'open', emailNormalised: 'ada@reader.example' },
    ]);

    await deleteOldData({ db, retention: RETENTION }, never);

    const kept = await db('checkouts').whereNotNull('email').whereNotNull('recoveryUrl');
    expect(kept.map(toId).sort()).toEqual(['paid', 'young']);
    expect(await db('checkouts').count()).toEqual([{ count: 3 }]);
    expect((await db('open_checkouts')).map(toId)).toEqual(['open']);
  });

  test('reduces the bodies of old parked events to what a retry needs', async ({ db }) => {
    const body = {
      id: 'evt_1',
      type: 'invoice.paid',
      livemode: false,
      data: { object: { id: 'in_1', customer_email: 'ada@reader.example', memo: 'a\0b' } },
    };
    const parked = { type: 'invoice.paid', outcome: 'parked', fault: 'a fault', rawBody: JSON.stringify(body) };
    await db('stripe_events').insert([
      { id: 'old', ...parked, receivedAt: daysAgo(91) },
      { id: 'unreadable_1', ...parked, type: 'unreadable', rawBody: 'ada@reader.example', receivedAt: daysAgo(91) },
      { id: 'young', ...parked, receivedAt: daysAgo(89) },
    ]);

    await deleteOldData({ db, retention: RETENTION }, never);

    const bodies = new Map((await db('stripe_events')).map(({ id, rawBody }) => [id, JSON.parse(rawBody)]));
    expect(bodies.get('old')).toEqual({ ...body, data: { object: { id: 'in_1' } } });
    expect(bodies.get('unreadable_1')).toEqual({ erased: true });
    expect(bodies.get('young')).toEqual(body);
  });

  test('deletes leads that failed long ago, unless they paid; never pending or sent ones', async ({ db }) => {
    const failed = { beehiivStatus: 'failed', nextAttemptAt: null } as const;
    const leads = {
      old: await storeLead(db, failed),
      pending: await storeLead(db),
      sent: await storeLead(db, { beehiivStatus: 'sent' }),
      paid: await storeLead(db, failed),
    };
    await db('sample_requests').insert({ id: leads.old.id, email: leads.old.email, leadId: leads.old.id });
    await db('subscriptions').insert({
      id: leads.paid.id,
      leadId: leads.paid.id,
      email: leads.paid.email,
      stripeSubscriptionId: 'sub_1',
      stripeCustomerId: 'cus_1',
      status: 'canceled',
      plan: 'monthly',
      amountPence: 1,
      snapshotAt: new Date(),
    });
    await db.raw('alter table leads disable trigger user');
    await db('leads').update({ updatedAt: daysAgo(366) });
    await db.raw('alter table leads enable trigger user');
    const young = await storeLead(db, failed);

    await deleteOldData({ db, retention: { ...RETENTION, failedLeadDays: null } }, never);
    expect(await db('leads').count()).toEqual([{ count: 5 }]);
    await deleteOldData({ db, retention: RETENTION }, never);

    const kept = [leads.pending.id, leads.sent.id, leads.paid.id, young.id];
    expect(new Set(await db('leads').pluck('id'))).toEqual(new Set(kept));
    expect(await db('sample_requests')).toEqual([]);
  });
});
