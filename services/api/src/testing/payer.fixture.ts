import type { Database } from '@site/platform/database/connect';
import { storeLead } from '@site/testing/builders';
import { planSetUp } from '../stripe/set-up.ts';
import { test as base } from './api.fixture.ts';
import { sessionOf } from './shop.fixture.ts';

/** `test` with an API to which Stripe delivers its events, the calls of an operator, and payers. */
export const test = base
  .extend('shop', async ({ newApi, sandbox }) => {
    const api = await newApi({ PUBLIC_URL: 'http://site.example' }, { stripeUrl: sandbox.url });
    for (const change of await planSetUp(api.deps.stripe, 'launch')) await change.apply();
    sandbox.setApiUrl(api.url);
    return api;
  })
  .extend('headers', ({ shop }) => shop.logIn())
  .extend(
    'post',
    ({ shop, headers }) =>
      (path: string, body?: object) =>
        shop.call('POST', `/api/admin/${path}`, { headers, body }),
  )
  .extend(
    'correct',
    ({ post }) =>
      (leadId: string, email: string) =>
        post(`leads/${leadId}/correct`, { email }),
  )
  .extend(
    'correctSubscription',
    ({ post }) =>
      (id: string, email: string) =>
        post(`subscriptions/${id}/email`, { email }),
  )
  .extend('open', ({ shop }) => async (email: string, leadId?: string) => {
    const body = { email, leadId };
    const { status, json } = await shop.call('POST', '/api/checkout/session', { body });
    return { status, id: sessionOf(json.url) };
  })
  /** Subscribes through the form. Returns the lead, and the subscription at Stripe. */
  .extend('subscribe', ({ open, sandbox, db }) => async (email: string) => {
    const lead = await storeLead(db, { email, beehiivStatus: 'sent' });
    const { id } = await open(email, lead.id);
    sandbox.stripe.completeCheckout(id, { email });
    await sandbox.stripe.webhooksSettled();
    return { lead, checkout: id, subscription: sandbox.stripe.subscriptions.newestFirst()[0]! };
  });

export const tiersOf = async (db: Database) =>
  Object.fromEntries(
    (await db('people').whereNotNull('tier')).map(({ emailNormalised, tier }) => [
      emailNormalised,
      tier,
    ]),
  );
