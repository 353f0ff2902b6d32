// @module-tag long
import { correctLead, storeLead } from '@site/testing/builders';
import type { Sandbox } from '@site/sandbox/sandbox';
import { describe, expect } from 'vitest';
import { pay, test as base } from '../../testing/shop.fixture.ts';
import type { Shop } from '../../testing/shop.fixture.ts';

const EMAIL = 'priya@acquirers.example';
const REFUSED = {
  email: EMAIL,
  beehiivStatus: 'failed',
  beehiivReason: 'email-invalid',
  nextAttemptAt: null,
} as const;

const test = base.extend('shop', async ({ newShop, sandbox }) => {
  const shop = await newShop();
  sandbox.setApiUrl(shop.url);
  return shop;
});

/** Makes a subscription as an operator does in Stripe's dashboard. */
async function subscribeInDashboard(
  { stripe }: Shop,
  sandbox: Sandbox,
  who: { email?: string; name?: string } = { email: EMAIL },
) {
  const { data: prices } = await stripe.prices.list({ lookup_keys: ['launch_monthly'] });
  const customer = await stripe.customers.create(who);
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  const made = await stripe.subscriptions.create({
    customer: customer.id,
    default_payment_method: method.id,
    items: [{ price: prices[0]!.id }],
  });
  await sandbox.stripe.webhooksSettled();
  return made;
}

describe('a live subscription that no checkout made', () => {
  const LEAD = {
    email: EMAIL,
    formType: 'pre_buy',
    beehiivStatus: 'pending',
    urgency: 'priority',
    consentMarketing: false,
    utmSource: null,
  };

  test('a live subscription that no checkout made gets one lead from its events', async ({
    shop,
    sandbox,
    db,
  }) => {
    sandbox.stripe.setWebhookDisorder({ shuffle: true, duplicate: true });

    await subscribeInDashboard(shop, sandbox);

    const leads = await db('leads');
    expect(leads).toMatchObject([LEAD]);
    expect(await db('subscriptions')).toMatchObject([{ leadId: leads[0].id, isLive: true }]);
  });

  test.for([
    ['sent', { beehiivStatus: 'sent', nextAttemptAt: null }, 1],
    ['waiting', {}, 1],
    ['one that was corrected', { beehiivStatus: 'failed', nextAttemptAt: null }, 2],
  ] as const)(
    'a live subscription gets a lead only if its email has none that can be sent: %s',
    async ([kind, lead, count], { shop, sandbox, db }) => {
      const stored = await storeLead(db, { email: EMAIL, ...lead });
      if (kind === 'one that was corrected')
        await correctLead(db, stored, 'else@acquirers.example');

      await subscribeInDashboard(shop, sandbox);

      expect(await db('leads')).toHaveLength(count);
    },
  );
});

describe('a payment', () => {
  const roundsOf = async (id: string, db: Parameters<typeof storeLead>[0]) =>
    (await db('leads').where({ id }).first()).syncRound;

  test('a payment sends a failed lead again, once for each paid invoice', async ({
    shop,
    sandbox,
    db,
  }) => {
    const lead = await storeLead(db, REFUSED);
    const refuseAgain = () =>
      db('leads').where({ id: lead.id }).update({ beehiivStatus: 'failed', nextAttemptAt: null });
    const rounds = [];
    await pay(shop, sandbox, { email: EMAIL, leadId: lead.id });
    await sandbox.stripe.webhooksSettled();
    expect(await db('leads').where({ id: lead.id }).first()).toMatchObject({ urgency: 'priority' });
    for (const days of [8, 31]) {
      rounds.push(await roundsOf(lead.id, db));
      await refuseAgain();
      sandbox.stripe.advance({ days });
      await sandbox.stripe.webhooksSettled();
    }
    const paid = await db('stripe_invoices').where('paidPence', '>', 0);
    await refuseAgain();
    // The same payment, read again, sends nothing.
    await shop.stripe.refunds.create({
      payment_intent: await paymentOf(shop, paid[0].id),
      amount: 100,
    });
    await sandbox.stripe.webhooksSettled();

    expect(rounds).toEqual([2, 3]);
    expect(paid).toHaveLength(2);
    expect(await db('leads')).toMatchObject([
      { id: lead.id, syncRound: 4, beehiivStatus: 'failed' },
    ]);
  });

  test('a payment for a lead that is corrected by now sends no other lead', async ({
    shop,
    sandbox,
    db,
  }) => {
    const older = await storeLead(db, { ...REFUSED, formType: 'pre_sample' });
    const typo = await storeLead(db, { ...REFUSED, email: 'priya@aquirers.example' });
    await correctLead(db, typo, EMAIL);

    await pay(shop, sandbox, { email: EMAIL, leadId: typo.id });
    await sandbox.stripe.webhooksSettled();

    expect(await db('leads').where({ beehiivStatus: 'failed' }).pluck('id')).toEqual([older.id]);
  });
});

async function paymentOf({ stripe }: Shop, invoice: string): Promise<string> {
  const { data } = await stripe.invoicePayments.list({ invoice });
  const payment = data[0]?.payment.payment_intent;
  return typeof payment === 'string' ? payment : '';
}
