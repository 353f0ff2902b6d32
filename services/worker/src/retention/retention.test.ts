import { storeCheckout, storeSubscription } from '@site/testing/money-builders';
import { storeAttempt, storeAttempts, storeLead, storeSubscriber } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { query } from '@site/platform/database/query';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { deleteOldData } from './retention.ts';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const RETENTION = { networkDataDays: 90, abandonedCheckoutDays: 180, failedLeadDays: 365 };
const network = { ipAddress: '192.0.2.1', userAgent: 'Mozilla/5.0' };

describe('deleteOldData', () => {
  test('retention clears old IP addresses and user agents of leads', async ({ db }) => {
    const old = await storeLead(db, {
      ...network,
      submittedAt: new Date(Date.now() - 91 * DAY_MS),
    });
    const young = await storeLead(db, {
      ...network,
      submittedAt: new Date(Date.now() - 89 * DAY_MS),
    });

    await deleteOldData({ db, retention: RETENTION }, new AbortController().signal);

    expect(await db('leads').where({ id: old.id }).first()).toMatchObject({
      ipAddress: null,
      userAgent: null,
      fullName: 'Priya Raman',
    });
    expect(await db('leads').where({ id: young.id }).first()).toMatchObject(network);
  });

  test('retention clears a login’s network when it is as old as IP addresses', async ({ db }) => {
    const login = { account: 'a', client: '192.0.2.1', device: null };
    await db('logins').insert([
      { ...login, outcome: 'failed', at: daysAgo(91) },
      { ...login, outcome: 'succeeded', operator: 'ada', at: daysAgo(91) },
      { ...login, outcome: 'failed', at: daysAgo(89) },
    ]);

    await deleteOldData({ db, retention: RETENTION }, new AbortController().signal);

    expect(
      await db('logins').orderBy('id').select('outcome', 'operator', 'account', 'client'),
    ).toEqual([
      { outcome: 'failed', operator: null, account: null, client: null },
      { outcome: 'succeeded', operator: 'ada', account: 'a', client: null },
      { outcome: 'failed', operator: null, account: 'a', client: '192.0.2.1' },
    ]);
  });

  test('retention deletes visits after 25 months', async ({ db }) => {
    const day = (months: number, days: number) =>
      db.raw(
        `((sync_now() at time zone 'Europe/London')::date - make_interval(months => ?, days => ?)
        )::date`,
        [months, days],
      );
    const visit = { part: 'page', name: '/' };
    await db('visits').insert([
      { ...visit, day: day(25, 1), count: 1 },
      { ...visit, day: day(25, 0), count: 2 },
    ]);

    await deleteOldData({ db, retention: RETENTION }, new AbortController().signal);

    expect(await db('visits').select('count')).toEqual([{ count: 2 }]);
  });

  test('retention deletes repeat keys that have ended, and no others', async ({ db }) => {
    const lead = await storeLead(db);
    const leadId = lead.id;
    await db('submission_keys').insert([
      { leadId, key: 'a form', isForm: true, until: new Date(Date.now() - 1_000) },
      { leadId, key: 'a key', isForm: false, until: new Date(Date.now() + DAY_MS) },
    ]);

    await deleteOldData({ db, retention: RETENTION }, new AbortController().signal);

    expect(await db('submission_keys').pluck('key')).toEqual(['a key']);
  });

  const never = new AbortController().signal;

  test('retention removes emails and links of old unpaid checkouts', async ({ db }) => {
    const toId = (row: { stripeCheckoutSessionId: string }) => row.stripeCheckoutSessionId;
    const store = (id: string | null, state: string, days: number, given: object = {}) =>
      storeCheckout(db, {
        stripeCheckoutSessionId: id,
        email: 'ada@reader.example',
        recoveryUrl: 'https://stripe.example/r',
        state,
        startedAt: daysAgo(days),
        ...given,
      });
    await store('old', 'abandoned', 181);
    await store('young', 'abandoned', 179);
    await store('paid', 'complete', 181);
    await store('lost', 'open', 181);
    await store('open', 'open', 0);
    const hindrance = 'stripe-away';
    await store(null, 'not-opened', 181, { hindrance, email: 'old@reader.example' });
    await store(null, 'not-opened', 179, { hindrance, email: 'young@reader.example' });

    await deleteOldData({ db, retention: RETENTION }, never);

    const kept = await db('checkouts').whereNotNull('email').whereNotNull('recoveryUrl');
    const opened = kept.filter(({ state }) => state !== 'not-opened');
    expect(opened.map(toId).sort()).toEqual(['open', 'paid', 'young']);
    const unopened = db('checkouts').where({ state: 'not-opened' }).orderBy('startedAt');
    expect(await unopened.pluck('email')).toEqual([null, 'young@reader.example']);
    expect(await db('checkouts').count()).toEqual([{ count: 6 }]);
  });

  test('retention makes no settled checkout an abandoned one', async ({ db }) => {
    for (const [stripeCheckoutSessionId, email, state] of [
      ['cs_settled', 'ada@reader.example', 'abandoned'],
      ['cs_paid', 'Ada@reader.example', 'complete'],
      ['cs_lost', 'ben@reader.example', 'abandoned'],
    ])
      await storeCheckout(db, { stripeCheckoutSessionId, email, state, startedAt: daysAgo(181) });

    await deleteOldData({ db, retention: RETENTION }, never);

    expect(await db('checkouts').whereNotNull('email').pluck('stripe_checkout_session_id')).toEqual(
      ['cs_paid'],
    );
    const abandoned = await query(
      db,
      'select stripe_checkout_session_id as id from abandoned_checkouts',
    );
    expect(abandoned).toEqual([{ id: 'cs_lost' }]);
  });

  test('retention deletes leads that failed long ago, unless they paid', async ({ db }) => {
    const failed = { beehiivStatus: 'failed', nextAttemptAt: null } as const;
    const leads = {
      old: await storeLead(db, failed),
      pending: await storeLead(db),
      sent: await storeLead(db, { beehiivStatus: 'sent' }),
      paid: await storeLead(db, failed),
      // The email pays, but for another lead.
      pays: await storeLead(db, failed),
      ended: await storeLead(db, failed),
    };
    await db('sample_requests').insert({
      id: leads.old.id,
      email: leads.old.email,
      leadId: leads.old.id,
    });
    const paid = { email: leads.paid.email, status: 'canceled', leadId: leads.paid.id };
    await storeSubscription(db, paid);
    await storeSubscription(db, { email: leads.pays.email });
    await storeSubscription(db, { email: leads.ended.email, status: 'canceled' });
    await db('leads').update({ submittedAt: daysAgo(366), roundStartedAt: daysAgo(366) });
    const young = await storeLead(db, failed);

    await deleteOldData({ db, retention: { ...RETENTION, failedLeadDays: null } }, never);
    expect(await db('leads').count()).toEqual([{ count: 7 }]);
    await deleteOldData({ db, retention: RETENTION }, never);

    const kept = [leads.pending.id, leads.sent.id, leads.paid.id, leads.pays.id, young.id];
    expect(new Set(await db('leads').pluck('id'))).toEqual(new Set(kept));
    expect(await db('sample_requests')).toEqual([]);
  });

  test('retention keeps the failed lead of somebody with running free access', async ({ db }) => {
    const given = { freeGrantedBy: 'ana', freeGrantedAt: daysAgo(400), freeName: 'Edith Rowe' };
    const store = async (access: object) => {
      const lead = await storeLead(db, { beehiivStatus: 'failed', nextAttemptAt: null });
      const { emailNormalised } = lead;
      await db('people')
        .where({ emailNormalised })
        .update({ ...given, ...access });
      return emailNormalised;
    };
    const pay = async (status: string) => {
      const given = { stripeSubscriptionId: `sub_${status}`, email: null, status };
      return { freeWithSubscription: await storeSubscription(db, given) };
    };
    const kept = [
      await store({ freeUntil: new Date(Date.now() + DAY_MS) }),
      await store(await pay('active')),
    ];
    for (const ended of [{ freeUntil: daysAgo(1) }, await pay('canceled')]) await store(ended);
    await db('leads').update({ submittedAt: daysAgo(366), roundStartedAt: daysAgo(366) });

    await deleteOldData({ db, retention: RETENTION }, never);

    expect(new Set(await db('leads').pluck('email_normalised'))).toEqual(new Set(kept));
    expect(new Set(await db('people').pluck('email_normalised'))).toEqual(new Set(kept));
  });

  test('the retention of a failed lead counts from its failure', async ({ db }) => {
    const failed = {
      beehiivStatus: 'failed',
      nextAttemptAt: null,
      submittedAt: daysAgo(400),
    } as const;
    const long = await storeLead(db, { ...failed, roundStartedAt: daysAgo(400) });
    const retried = await storeLead(db, { ...failed, roundStartedAt: daysAgo(10) });
    const slow = await storeLead(db, { ...failed, roundStartedAt: daysAgo(366) });
    await storeAttempts(db, [long.id, slow.id]);
    await db('lead_sync_attempts')
      .where({ leadId: long.id })
      .update({ startedAt: daysAgo(366) });
    await db('lead_sync_attempts')
      .where({ leadId: slow.id })
      .update({ startedAt: daysAgo(364) });
    await db('leads').update({ company: 'Northgate' });
    for (const lead of [long, slow]) await storeSubscriber(db, lead);
    const note = { text: 'Away in May', operator: 'ana' };
    for (const { id, emailNormalised } of [long, slow])
      await db('notes').insert({ ...note, id, emailNormalised });

    await deleteOldData({ db, retention: RETENTION }, never);

    expect(new Set(await db('leads').pluck('id'))).toEqual(new Set([retried.id, slow.id]));
    expect(await db('people').whereNotNull('status')).toMatchObject([
      { emailNormalised: slow.emailNormalised },
    ]);
    expect(await db('notes').pluck('email_normalised')).toEqual([slow.emailNormalised]);
  });

  test('retention deletes only old attempts of earlier rounds of sent leads', async ({ db }) => {
    const sent = await storeLead(db, { beehiivStatus: 'sent', nextAttemptAt: null, syncRound: 2 });
    const pending = await storeLead(db, { syncRound: 2 });
    const stored = [
      { id: randomUUID(), leadId: sent.id, round: 1, startedAt: daysAgo(181) },
      { id: randomUUID(), leadId: sent.id, round: 2, startedAt: daysAgo(181) },
      { id: randomUUID(), leadId: sent.id, round: 1, number: 2, startedAt: daysAgo(179) },
      { id: randomUUID(), leadId: pending.id, round: 1, startedAt: daysAgo(181) },
    ];
    for (const each of stored) await storeAttempt(db, { ...each, class: 'transient' });

    await deleteOldData({ db, retention: RETENTION }, never);

    const kept = stored.slice(1).map(({ id }) => id);
    expect(new Set(await db('lead_sync_attempts').pluck('id'))).toEqual(new Set(kept));
  });

  test('each step of retention runs even if another failed', async ({ db }) => {
    const lead = await storeLead(db);
    await db('submission_keys').insert({
      leadId: lead.id,
      key: 'a',
      isForm: false,
      until: daysAgo(1),
    });
    await db.raw('alter table checkouts rename to elsewhere');

    await expect(deleteOldData({ db, retention: RETENTION }, never)).rejects.toThrow(
      'not all old data was deleted',
    );

    expect(await db('submission_keys')).toEqual([]);
  });
});
