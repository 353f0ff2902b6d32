// @module-tag long
import { storeDispute } from '@site/testing/money-builders';
import Stripe from 'stripe';
import { describe, expect, vi } from 'vitest';
import { OFFER } from '@site/schema/offer';
import { test as base } from '../../testing/payer.fixture.ts';

const PRICE = OFFER.launchPricePence;
const EMAIL = 'priya@reader.example';

/** A subscription that has paid once, and calls about it. */
const test = base
  .extend(
    'payOnce',
    ({ shop: api, headers, open, sandbox, db }) =>
      async (card: { cardNumber?: string } = {}) => {
        const checkout = await open(EMAIL);
        sandbox.stripe.completeCheckout(checkout.id, { email: EMAIL, ...card });
        sandbox.stripe.advance({ days: 7 });
        await sandbox.stripe.webhooksSettled();
        const { id } = sandbox.stripe.subscriptions.newestFirst()[0]!;
        return {
          api,
          headers,
          id,
          read: async () => {
            const { leadId } = await db('subscriptions').first('leadId');
            const lead = await api.call('GET', `/api/admin/leads/${leadId}`, { headers });
            return lead.json.subscriptions[0];
          },
          preview: () => api.call('GET', `/api/admin/subscriptions/${id}/refund`, { headers }),
          post: (what: string, body: object, key?: string) =>
            api.call('POST', `/api/admin/subscriptions/${id}/${what}`, {
              headers: { ...headers, ...(key !== undefined && { 'Idempotency-Key': key }) },
              body,
            }),
        };
      },
  )
  .extend('paid', ({ payOnce }) => payOnce());

describe('a refund', () => {
  test('a refund is previewed, made in part and then whole, stored at once, and recorded', async ({
    paid,
    sandbox,
    db,
  }) => {
    const before = await paid.preview();
    const part = await paid.post('refund', { amountPence: 1_000 }, 'a');
    const after = await paid.preview();
    const isRefunded = async () => (await paid.read()).invoices[0].refundedPence === PRICE;
    const isRefundedInPart = await isRefunded();
    const rest = await paid.post('refund', {}, 'b');
    const none = await paid.post('refund', {}, 'c');

    expect([isRefundedInPart, await isRefunded()]).toEqual([false, true]);
    expect(before.json).toMatchObject({ paidPence: PRICE, refundedPence: 0, left: PRICE });
    expect(part).toMatchObject({
      status: 200,
      json: { refund: { amountPence: 1_000, status: 'succeeded' } },
    });
    expect(after.json).toMatchObject({ refundedPence: 1_000, left: PRICE - 1_000 });
    expect(rest.json).toEqual({ refund: expect.objectContaining({ amountPence: PRICE - 1_000 }) });
    expect(none).toMatchObject({ status: 409, json: { type: 'urn:problem:nothing-to-refund' } });
    expect(await db('stripe_invoices').where('refundedPence', '>', 0)).toMatchObject([
      { refundedPence: PRICE, isRefunded: true },
    ]);
    expect(await db('subscriptions')).toMatchObject([{ stage: 'paying' }]);
    expect(sandbox.stripe.refunds.snapshot()).toHaveLength(2);
    const audit = await paid.api.call('GET', '/api/admin/audit?action=refund', {
      headers: paid.headers,
    });
    expect(audit.json.actions.map(({ lead }: { lead: { email: string } }) => lead.email)).toEqual([
      EMAIL,
      EMAIL,
    ]);
    expect(await db('operator_actions').where({ action: 'refund' }).orderBy('id')).toMatchObject([
      { subject: paid.id, detail: { refund: part.json.refund.id, pence: 1_000 } },
      { subject: paid.id, detail: { refund: rest.json.refund.id, pence: PRICE - 1_000 } },
    ]);
  });

  test('a refund leaves out the part that a credit note gave back', async ({ paid, sandbox }) => {
    const invoice = sandbox.stripe.invoices.newestFirst()[0]!.id;
    const refunded = await paid.post('refund', { amountPence: 1_000 }, 'a');
    const { stripe } = paid.api.deps;
    await stripe.creditNotes.create({ invoice, amount: 600, credit_amount: 600 });
    await stripe.creditNotes.create({
      invoice,
      amount: 1_000,
      refunds: [{ refund: refunded.json.refund.id }],
    });

    const { json } = await paid.preview();
    const tooMuch = await paid.post('refund', { amountPence: PRICE - 1_599 }, 'b');
    const rest = await paid.post('refund', {}, 'c');

    expect(json).toMatchObject({ refundedPence: 1_000, left: PRICE - 1_600 });
    expect(tooMuch.status).toBe(422);
    expect(rest.json.refund).toMatchObject({ amountPence: PRICE - 1_600 });
  });

  test('a refund with the same key is made once, even twice at the same time', async ({
    paid,
    sandbox,
    db,
  }) => {
    const ask = () => paid.post('refund', { amountPence: 500 }, 'one click');

    const [first, second] = await Promise.all([ask(), ask()]);
    const third = await ask();
    const other = await paid.post('refund', { amountPence: 600 }, 'one click');

    expect([second.json, third.json]).toEqual([first.json, first.json]);
    expect(other).toMatchObject({ status: 409, json: { type: 'urn:problem:key-reused' } });
    const noted = await paid.post('refund', { amountPence: 500, note: 'By phone' }, 'one click');
    expect(noted).toMatchObject({ status: 409, json: { type: 'urn:problem:key-reused' } });
    expect(sandbox.stripe.refunds.snapshot()).toHaveLength(1);
    expect(await db('operator_actions').where({ action: 'refund' })).toHaveLength(1);
  });

  test('a repeat after the next payment refunds nothing more', async ({ paid, sandbox }) => {
    await paid.post('refund', { amountPence: 1_000 }, 'a');
    sandbox.stripe.advance({ days: 31 });
    await sandbox.stripe.webhooksSettled();

    const repeat = await paid.post('refund', { amountPence: 1_000 }, 'a');

    expect(repeat).toMatchObject({ status: 409, json: { type: 'urn:problem:key-reused' } });
    expect(sandbox.stripe.refunds.snapshot()).toHaveLength(1);
  });

  test('a refund of more than is left, or of an invalid amount, is refused', async ({
    paid,
    sandbox,
  }) => {
    const answers = [
      await paid.post('refund', { amountPence: PRICE + 1 }, 'a'),
      await paid.post('refund', { amountPence: 0 }, 'b'),
      await paid.post('refund', { amountPence: 1.5 }, 'c'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(sandbox.stripe.refunds.snapshot()).toEqual([]);
  });

  test('a refund without a key is refused, because a repeat would refund twice', async ({
    paid,
    sandbox,
  }) => {
    const answer = await paid.post('refund', { amountPence: 500 });

    expect(answer).toMatchObject({
      status: 422,
      json: { errors: [{ field: 'Idempotency-Key' }] },
    });
    expect(sandbox.stripe.refunds.snapshot()).toEqual([]);
  });

  test('a refund can be of an older payment, but not of another subscription', async ({
    paid,
    sandbox,
    db,
  }) => {
    sandbox.stripe.advance({ days: 31 });
    await sandbox.stripe.webhooksSettled();
    const read = async () => (await paid.read()).invoices;
    const [latest, older, trial] = await read();

    const answer = await paid.post('refund', { amountPence: 700, invoiceId: older.id }, 'a');
    const preview = await paid.api.call(
      'GET',
      `/api/admin/subscriptions/${paid.id}/refund?invoiceId=${older.id}`,
      {
        headers: paid.headers,
      },
    );
    const unknown = await paid.post('refund', { invoiceId: 'in_unknown' }, 'b');

    expect(answer).toMatchObject({
      status: 200,
      json: { refund: { amountPence: 700, invoice: older.number } },
    });
    expect(preview.json).toMatchObject({
      invoice: older.number,
      refundedPence: 700,
      left: PRICE - 700,
    });
    expect(await read()).toEqual([latest, { ...older, refundedPence: 700 }, trial]);
    expect(trial).toMatchObject({ status: 'paid', totalPence: 0, paidPence: 0 });
    expect(latest).toMatchObject({
      status: 'paid',
      paidPence: PRICE,
      refundedPence: 0,
      paidAt: expect.any(String),
    });
    expect(unknown).toMatchObject({
      status: 409,
      json: { type: 'urn:problem:nothing-to-refund' },
    });
    expect(await db('stripe_refunds')).toMatchObject([{ stripeInvoiceId: older.id }]);
  });

  test('a refund of a disputed payment is refused here, or else by Stripe', async ({
    payOnce,
    sandbox,
    db,
  }) => {
    const paid = await payOnce({ cardNumber: '4000000000000259' });
    const { stripeSubscriptionId, openDispute, invoices } = await paid.read();
    const readState = async () =>
      (
        await paid.api.call('POST', '/api/admin/people/search', {
          headers: paid.headers,
          body: {},
        })
      ).json.people[0].state;
    const state = await readState();
    const open = await paid.preview();
    const refused = await paid.post('refund', {}, 'a');
    await paid.api.deps.stripe.disputes.close(sandbox.stripe.disputes.snapshot()[0]!.id);
    await sandbox.stripe.webhooksSettled();
    const lost = await paid.preview();
    await db('stripe_disputes').delete();
    // As the event does that ends a dispute.
    await db.raw('select judge_person(email_normalised) from subscriptions');
    const refusedByStripe = await paid.post('refund', {}, 'b');

    expect(stripeSubscriptionId).toBe(paid.id);
    expect([state, await readState()]).toEqual(['unsettled', 'paying']);
    expect(openDispute).toEqual({
      amountPence: PRICE,
      status: 'needs_response',
      evidenceDueAt: expect.stringMatching(/Z$/),
      dashboardUrl: `https://dashboard.stripe.com/test/disputes/${sandbox.stripe.disputes.snapshot()[0]!.id}`,
    });
    const { amountPence: _, dashboardUrl: __, ...dispute } = openDispute;
    expect(invoices).toMatchObject([{ dispute }, { totalPence: 0, dispute: null }]);
    expect([open.json.dispute, lost.json.dispute]).toEqual(['open', 'lost']);
    const problem = { status: 409, json: { type: 'urn:problem:payment-disputed' } };
    expect([refused, refusedByStripe]).toMatchObject([problem, problem]);
    expect(sandbox.stripe.refunds.snapshot()).toEqual([]);
    expect(await db('operator_actions').where({ action: 'refund' })).toEqual([]);
  });

  test.for(['won', 'warning_needs_response', 'prevented'])(
    'a refund of a payment with a dispute that is %s is made',
    async (status, { paid, db }) => {
      const [{ id: stripeInvoiceId, stripeSubscriptionId }] = await db('stripe_invoices').where(
        'paidPence',
        '>',
        0,
      );
      const payment = { stripeSubscriptionId, stripeInvoiceId, stripeChargeId: 'ch_1' };
      await storeDispute(db, { ...payment, currency: 'gbp' }, { status });

      expect((await paid.preview()).json.dispute).toBeNull();
      expect((await paid.post('refund', {}, 'a')).status).toBe(200);
    },
  );

  test('a refund can cancel too, with a reason and a note', async ({ paid, sandbox, db }) => {
    const body = { reason: 'duplicate', note: 'Paid twice by card', cancel: 'now' };

    const answer = await paid.post('refund', body, 'a');
    const again = await paid.post('refund', body, 'a');

    expect(answer).toMatchObject({
      status: 200,
      json: { refund: { amountPence: PRICE }, cancellation: 'done' },
    });
    expect(again.json).toEqual(answer.json);
    expect(sandbox.stripe.refunds.snapshot()).toMatchObject([{ reason: 'duplicate' }]);
    expect(await db('subscriptions')).toMatchObject([{ stage: 'ended' }]);
    expect(await db('notes')).toMatchObject([
      { emailNormalised: EMAIL.toLowerCase(), text: 'Paid twice by card' },
    ]);
    expect(await db('operator_actions').orderBy('id').pluck('action')).toEqual(
      expect.arrayContaining(['refund', 'cancel-subscription']),
    );
  });

  test('a failed cancellation leaves the refund, and the same key finishes it', async ({
    paid,
    sandbox,
    db,
  }) => {
    const { subscriptions } = paid.api.deps.stripe;
    vi.spyOn(subscriptions, 'update').mockRejectedValueOnce(
      new Stripe.errors.StripeConnectionError({ message: 'broken', type: 'api_error' }),
    );
    const body = { cancel: 'period-end' };

    const halfway = await paid.post('refund', body, 'a');
    const finished = await paid.post('refund', body, 'a');

    expect(halfway).toMatchObject({
      status: 200,
      json: { refund: { amountPence: PRICE }, cancellation: 'failed' },
    });
    expect(finished.json).toEqual({ ...halfway.json, cancellation: 'done' });
    expect(sandbox.stripe.refunds.snapshot()).toHaveLength(1);
    expect(await db('subscriptions')).toMatchObject([{ cancelAt: expect.any(Date) }]);
  });

  test('a refund made before the connection broke is found, and recorded once', async ({
    paid,
    sandbox,
    db,
  }) => {
    const { refunds } = paid.api.deps.stripe;
    const create = refunds.create.bind(refunds);
    vi.spyOn(refunds, 'create').mockImplementationOnce(async (params, options) => {
      await create(params, options);
      throw new Stripe.errors.StripeConnectionError({ message: 'broken', type: 'api_error' });
    });
    const broken = await paid.post('refund', {}, 'a');

    const repeated = await paid.post('refund', {}, 'a');

    expect(broken.status).toBe(503);
    expect(repeated).toMatchObject({ status: 200, json: { refund: { amountPence: PRICE } } });
    expect(sandbox.stripe.refunds.snapshot()).toHaveLength(1);
    expect(await db('operator_actions').where({ action: 'refund' })).toMatchObject([
      { subject: paid.id, detail: { refund: repeated.json.refund.id, pence: PRICE } },
    ]);
  });

  test('a refund is recorded although Stripe took longer than a transaction may wait', async ({
    paid,
    db,
  }) => {
    const { refunds } = paid.api.deps.stripe;
    const create = refunds.create.bind(refunds);
    vi.spyOn(refunds, 'create').mockImplementationOnce(async (params, options) => {
      const made = await create(params, options);
      await db.raw(
        // The transaction that waits for Stripe, not a periodic task's.
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction' order by xact_start limit 1`,
      );
      return made;
    });

    const answer = await paid.post('refund', {}, 'a');

    expect(answer.status).toBe(200);
    expect(await db('operator_actions').where({ action: 'refund' })).toHaveLength(1);
  });

  test('a refund while Stripe is unreachable changes nothing, and can be repeated', async ({
    paid,
    sandbox,
    db,
  }) => {
    sandbox.setFault({ target: 'stripe', mode: 'status', status: 500 });
    const failed = await paid.post('refund', { amountPence: 500 }, 'a');
    sandbox.setFault({ target: 'stripe', mode: 'ok' });
    const made = await paid.post('refund', { amountPence: 500 }, 'a');

    expect([failed.status, made.status]).toEqual([503, 200]);
    expect(await db('operator_actions').where({ action: 'refund' })).toHaveLength(1);
  });
});

describe('a cancellation', () => {
  test('a cancellation at the end of the period keeps access until then', async ({ paid, db }) => {
    const answer = await paid.post('cancel', { when: 'period-end' });

    expect(answer).toMatchObject({
      status: 200,
      json: { stage: 'ending', cancelAt: expect.any(String) },
    });
    expect(await db('subscriptions')).toMatchObject([{ stage: 'ending', isLive: true }]);
    expect(await db('operator_actions').where({ action: 'cancel-subscription' })).toMatchObject([
      { subject: paid.id, detail: { when: 'period-end' } },
    ]);
  });

  test('an immediate cancellation ends the subscription and its tier, once', async ({
    paid,
    db,
  }) => {
    const answer = await paid.post('cancel', { when: 'now' }, 'a');
    const repeated = await paid.post('cancel', { when: 'now' }, 'a');
    const again = await paid.post('cancel', { when: 'now' }, 'b');

    expect(answer).toMatchObject({ status: 200, json: { stage: 'ended' } });
    expect(repeated.json).toEqual(answer.json);
    expect(again).toMatchObject({ status: 409, json: { type: 'urn:problem:subscription-over' } });
    expect(await db('people').whereNotNull('tier')).toMatchObject([{ tier: 'free' }]);
    expect(await db('operator_actions').where({ action: 'cancel-subscription' })).toHaveLength(1);
  });

  test('a cancellation made before the connection broke is recorded by its repeat', async ({
    paid,
    sandbox,
    db,
  }) => {
    const { subscriptions } = paid.api.deps.stripe;
    const end = subscriptions.cancel.bind(subscriptions);
    vi.spyOn(subscriptions, 'cancel').mockImplementationOnce(async (id) => {
      await end(id);
      throw new Stripe.errors.StripeConnectionError({ message: 'broken', type: 'api_error' });
    });
    const broken = await paid.post('cancel', { when: 'now' }, 'a');
    await sandbox.stripe.webhooksSettled();

    const repeated = await paid.post('cancel', { when: 'now' }, 'a');

    expect(broken.status).toBe(503);
    expect(repeated).toMatchObject({ status: 200, json: { stage: 'ended' } });
    expect(await db('operator_actions').where({ action: 'cancel-subscription' })).toHaveLength(1);
  });

  test('a cancellation of an unknown subscription, or without a time, is refused', async ({
    paid,
  }) => {
    const { api, headers } = paid;
    const unknown = await api.call('POST', '/api/admin/subscriptions/sub_none/cancel', {
      headers,
      body: { when: 'now' },
    });

    expect([unknown.status, (await paid.post('cancel', {})).status]).toEqual([404, 422]);
  });
});

describe('an undone cancellation', () => {
  test.for([
    { cancel_at_period_end: true },
    { cancel_at: Math.floor(Date.now() / 1_000) + 86_400 * 10 },
  ])(
    'an undone cancellation continues the subscription, whoever cancelled: %o',
    async (cancelled, { paid, db, sandbox }) => {
      await paid.api.deps.stripe.subscriptions.update(paid.id, cancelled);
      await sandbox.stripe.webhooksSettled();
      const before = await db('subscriptions').pluck('stage');

      const answer = await paid.post('resume', {}, 'a');
      const repeated = await paid.post('resume', {}, 'a');

      expect(before).toEqual(['ending']);
      expect(answer).toMatchObject({ status: 200, json: { stage: 'paying', cancelAt: null } });
      expect(repeated.json).toEqual(answer.json);
      expect(await db('subscriptions')).toMatchObject([{ stage: 'paying', cancelAt: null }]);
      expect(await db('operator_actions').where({ action: 'resume-subscription' })).toMatchObject([
        { subject: paid.id },
      ]);
    },
  );

  test('undoing a cancellation is refused after the last day', async ({ paid, db }) => {
    await paid.post('cancel', { when: 'now' }, 'a');

    expect(await paid.post('resume', {}, 'b')).toMatchObject({
      status: 409,
      json: { type: 'urn:problem:subscription-over' },
    });
    expect(await db('operator_actions').where({ action: 'resume-subscription' })).toEqual([]);
  });
});

describe('an invoice’s page', () => {
  test('an invoice’s page opens at Stripe’s link even if the stored link has expired', async ({
    paid,
    sandbox,
    db,
  }) => {
    const { api, headers } = paid;
    const [invoice] = (await paid.read()).invoices;
    const first = sandbox.stripe.invoices.find(invoice.id)!.hosted_invoice_url!;
    sandbox.stripe.advance({ days: 31 });

    const answer = await api.call('GET', `/api/admin/invoices/${invoice.id}/page`, { headers });

    const open = (url: string) => fetch(url).then(({ status }) => status);
    expect(answer.status).toBe(303);
    expect([await open(first), await open(answer.headers.get('location')!)]).toEqual([410, 200]);
    expect(await db('operator_actions').where({ action: 'open-invoice' })).toMatchObject([
      { subject: paid.id, detail: { invoice: invoice.id } },
    ]);
  });

  test('the page of an unknown invoice, or of an erased person’s, is not opened', async ({
    paid,
    db,
  }) => {
    const { api, headers } = paid;
    const [invoice] = (await paid.read()).invoices;
    const open = (id: string) => api.call('GET', `/api/admin/invoices/${id}/page`, { headers });
    await db('subscriptions').update({ email: null });

    const answers = [await open(invoice.id), await open('in_unknown'), await open('x')];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
