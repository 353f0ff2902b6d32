// @module-tag long
import { systemClock } from '@site/platform/process/clock';
import { createLogger } from '@site/platform/process/logger';
import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';
import { v7 as newId } from 'uuid';
import { describe, expect } from 'vitest';
import { toSnapshot } from '../reading/subscription-reading.ts';
import type { WebhookDeps } from './inbox.service.ts';
import { readMissingInvoices } from '../watch/nightly-reading.ts';
import { STRIPE_PRODUCT_ID } from '../../stripe/catalog.ts';
import { eventOf, pay, test as base } from '../../testing/shop.fixture.ts';

const EMAIL = 'priya@acquirers.example';

/** A payer whose first charge failed: the open invoice is stored. */
const test = base.extend('unpaid', async ({ shop, sandbox }) => {
  await pay(shop, sandbox, { email: EMAIL, cardNumber: '4000000000000341' });
  sandbox.stripe.advance({ days: 8 });
  for (const { type } of sandbox.stripe.events.snapshot())
    if (type !== 'invoice.created') await shop.deliver(eventOf(sandbox, type));
  return sandbox.stripe.invoices.newestFirst()[0]!.id;
});

describe('an open invoice', () => {
  test.for([
    ['invoice.voided', 'void'],
    ['invoice.marked_uncollectible', 'uncollectible'],
    ['invoice.paid', 'paid'],
  ] as const)('is closed by %s', async ([type, status], { shop, sandbox, unpaid, db }) => {
    const { invoices } = shop.stripe;
    const end = {
      void: () => invoices.voidInvoice(unpaid),
      uncollectible: () => invoices.markUncollectible(unpaid),
      paid: () => invoices.pay(unpaid, { paid_out_of_band: true }),
    };
    await end[status]();

    const answer = await shop.deliver(eventOf(sandbox, type));

    expect(answer.body.outcome).toBe('applied');
    // Outside Stripe, nothing is kept.
    const feePence = status === 'paid' ? 0 : null;
    expect(await db('stripe_invoices').where({ id: unpaid })).toMatchObject([
      { status, feePence, declineCode: status === 'paid' ? null : 'insufficient_funds' },
    ]);
  });

  test('owes less after a credit note', async ({ shop, sandbox, unpaid, db }) => {
    await shop.stripe.creditNotes.create({ invoice: unpaid, amount: 3_900 });

    await shop.deliver(eventOf(sandbox, 'credit_note.created'));

    expect(await db('stripe_invoices').where({ id: unpaid })).toMatchObject([
      { status: 'open', remainingPence: 20_000 },
    ]);
  });

  test.for(['an event of its subscription', 'the nightly reading'])(
    'is read again with %s, if its own event is lost',
    async (by, { shop, unpaid, sandbox, db }) => {
      await shop.stripe.invoices.voidInvoice(unpaid);

      if (by === 'the nightly reading') {
        await db('stripe_invoices').update({ snapshotAt: db.raw(`now() - interval '2 hours'`) });
        await readMissingInvoices({
          db,
          stripe: shop.stripe,
          settings: {
            stripe: {
              secretKey: SANDBOX_CREDENTIALS.stripeSecretKey,
              webhookSecret: '',
              apiUrl: sandbox.url,
            },
          },
          log: createLogger({ service: 'api', level: 'silent' }),
          clock: systemClock,
          newId,
          syncQueue: { wake: () => Promise.resolve() },
        } satisfies WebhookDeps);
      } else {
        await shop.stripe.subscriptions.cancel(sandbox.stripe.subscriptions.newestFirst()[0]!.id);
        await shop.deliver(eventOf(sandbox, 'customer.subscription.deleted'));
      }

      expect(await db('stripe_invoices').where({ id: unpaid })).toMatchObject([{ status: 'void' }]);
    },
  );
});

describe('the newest charge', () => {
  test('a failed one is stored with its reason and card, until it is paid', async ({
    shop,
    sandbox,
    unpaid,
    db,
  }) => {
    const card = { cardBrand: 'visa', cardLast4: '0341' };
    const read = () => db('stripe_invoices').where({ id: unpaid });
    expect(await read()).toMatchObject([
      { ...card, declineCode: 'insufficient_funds', feePence: null, availableAt: null },
    ]);

    const { id, customer } = sandbox.stripe.subscriptions.newestFirst()[0]!;
    const method = await shop.stripe.paymentMethods.attach('pm_card_visa', {
      customer,
    });
    await shop.stripe.subscriptions.update(id, { default_payment_method: method.id });
    await shop.stripe.invoices.pay(unpaid);
    await shop.deliver(eventOf(sandbox, 'invoice.paid'));

    expect(await read()).toMatchObject([
      {
        status: 'paid',
        declineCode: null,
        cardLast4: '4242',
        feePence: 379,
        availableAt: expect.any(Date),
      },
    ]);
  });

  test('without the permission for its fee, the payment is stored', async ({
    newShop,
    sandbox,
    unpaid,
    db,
  }) => {
    const restricted = await newShop({
      settings: { STRIPE_SECRET_KEY: 'rk_test_sandbox_without_charge_read' },
      isSetUp: false,
    });
    await restricted.stripe.invoices.pay(unpaid, { paid_out_of_band: true });

    await restricted.deliver(eventOf(sandbox, 'invoice.paid'));

    expect(await db('stripe_invoices').where({ id: unpaid })).toMatchObject([
      { status: 'paid', feePence: null },
    ]);
  });
});

describe('the price', () => {
  const item = (pence: number, given: object = {}) => ({
    quantity: 1,
    current_period_end: 1_800_000_000,
    price: {
      product: STRIPE_PRODUCT_ID,
      currency: 'gbp',
      unit_amount: pence,
      recurring: { interval: 'month', interval_count: 1 },
    },
    ...given,
  });
  const read = (items: object[], given: object = {}) => {
    const found = { id: 'sub_1', status: 'active', customer: { id: 'cus_1' }, discounts: [] };
    return toSnapshot({ ...found, ...given, items: { data: items } }, '2026-01-01T00:00:00Z');
  };

  test.for([
    ['a second item and a quantity', [item(10_000), item(2_000, { quantity: 3 })], {}, 16_000],
  ] as const)('%s count', ([, items, given, pence]) => {
    expect(read([...items], given)).toMatchObject({ amountPence: pence, recurringPence: pence });
  });

  test.for([
    ['a discount on an item', [item(10_000, { discounts: ['di_1'] })], {}, 'coupon'],
    [
      'a discount on the customer',
      [item(10_000)],
      { customer: { id: 'cus_1', discount: { id: 'di_1' } } },
      'coupon',
    ],
    [
      'items of two intervals',
      [
        item(10_000),
        item(10_000, {
          price: { ...item(1).price, recurring: { interval: 'year', interval_count: 1 } },
        }),
      ],
      {},
      'price',
    ],
  ] as const)('%s is not read, and says so', ([, items, given, part]) => {
    expect(read([...items], given)).toMatchObject({
      unreadParts: expect.arrayContaining([part]),
    });
  });
});
