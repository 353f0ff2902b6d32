import { describe, test } from 'vitest';
import { readPath } from '../read-path.ts';
import {
  at,
  eventAbout,
  idOf,
  paymentOf,
  sell,
  session,
  subscribe,
} from '../testing/stripe-steps.ts';
import { CASE_OPTIONS, openTarget, targetsOf } from '../testing/contract.ts';

// The product's requests to Stripe, as raw calls, so that the tests see each status and field in
// Stripe's form.

describe.each(targetsOf('stripe'))('Stripe’s contract, $name', CASE_OPTIONS, (target) => {
  const contract = openTarget(target);

  test(
    'Stripe stores products, prices and coupons',
    contract(async (calls) => {
      const { product, monthly } = await sell(calls, calls.tag);
      const key = `contract_${calls.tag}_month`;
      const params = {
        product,
        currency: 'gbp',
        unit_amount: 29_900,
        recurring: { interval: 'month' },
        lookup_key: key,
      };
      const taken = await calls.call('a lookup key in use', {
        method: 'POST',
        path: '/v1/prices',
        params,
      });
      calls.expect(taken.status === 400, 'a second price gets no lookup key that is in use');
      const moved = await calls.call('transfer the lookup key', {
        method: 'POST',
        path: '/v1/prices',
        params: { ...params, transfer_lookup_key: true },
      });
      calls.cleanUp({
        method: 'POST',
        path: `/v1/prices/${idOf(moved)}`,
        params: { active: false, lookup_key: '' },
      });
      const listed = await calls.call('find by lookup key', {
        method: 'GET',
        path: '/v1/prices',
        params: { lookup_keys: [key], active: true, expand: ['data.product'] },
      });
      calls.expect(
        at(listed, 'data', 0, 'id') === idOf(moved),
        'the lookup key leads to the new price',
      );
      calls.expect(idOf(moved) !== monthly, 'a price is never edited');
      const coupon = `contract_${calls.tag}`;
      await calls.call('create coupon', {
        method: 'POST',
        path: '/v1/coupons',
        params: { id: coupon, percent_off: 15, duration: 'forever', name: 'Contract: 15% off' },
      });
      calls.cleanUp({ method: 'DELETE', path: `/v1/coupons/${coupon}` });
      await calls.call('delete coupon', { method: 'DELETE', path: `/v1/coupons/${coupon}` });
      await calls.call('a coupon that is gone', { method: 'GET', path: `/v1/coupons/${coupon}` });
    }),
  );

  test(
    'Stripe opens a checkout session',
    contract(async (calls) => {
      const { monthly } = await sell(calls, `${calls.tag}_checkout`);
      const params = session(monthly, calls.tag);
      const headers = { 'idempotency-key': `contract-${calls.tag}` };
      const create = { method: 'POST' as const, path: '/v1/checkout/sessions', params, headers };
      const opened = await calls.call('open', create);
      const path = `/v1/checkout/sessions/${idOf(opened)}`;
      calls.expect(
        at(opened, 'status') === 'open' && typeof at(opened, 'url') === 'string',
        'a new session is open',
      );
      const again = await calls.call('the same idempotency key', create);
      calls.expect(idOf(again) === idOf(opened), 'a repeat opens no second session');
      calls.expect(
        again.headers.get('idempotent-replayed') === 'true',
        'a repeat says that it is one',
      );
      await calls.call('the key with other parameters', {
        ...create,
        params: { ...params, locale: 'auto' },
      });
      await calls.call('read with line items', {
        method: 'GET',
        path,
        params: { expand: ['line_items'] },
      });
      const refuse = (step: string, more: object) =>
        calls.call(step, {
          method: 'POST',
          path: '/v1/checkout/sessions',
          params: { ...params, ...more },
        });
      const unknown = await refuse('an unknown parameter', { colour: 'red' });
      calls.expect(
        at(unknown, 'error', 'code') === 'parameter_unknown',
        'an unknown parameter is named',
      );
      const address = await refuse('an invalid email', { customer_email: 'nobody' });
      calls.expect(at(address, 'error', 'param') === 'customer_email', 'a refused email is named');
      await refuse('two kinds of discount', {
        discounts: [{ coupon: 'none' }],
        allow_promotion_codes: true,
      });
      const expired = await calls.call('expire', { method: 'POST', path: `${path}/expire` });
      calls.expect(
        typeof at(expired, 'after_expiration', 'recovery', 'url') === 'string',
        'an expired session has a recovery link',
      );
      const twice = await calls.call('expire twice', { method: 'POST', path: `${path}/expire` });
      calls.expect(twice.status === 400, 'only an open session can be expired');
      await calls.call('a session that does not exist', {
        method: 'GET',
        path: '/v1/checkout/sessions/cs_test_none',
      });
      await eventAbout(calls, 'checkout.session.expired', idOf(opened));
    }),
  );

  test(
    'Stripe opens the customer portal',
    contract(async (calls) => {
      const { product, monthly, annual } = await sell(calls, `${calls.tag}_portal`);
      const features = {
        customer_update: { enabled: true, allowed_updates: ['name', 'address', 'tax_id'] },
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: {
          enabled: true,
          mode: 'at_period_end',
          cancellation_reason: { enabled: true, options: ['too_expensive', 'unused', 'other'] },
        },
        subscription_update: {
          enabled: true,
          default_allowed_updates: ['price'],
          products: [{ product, prices: [monthly, annual] }],
          proration_behavior: 'create_prorations',
          trial_update_behavior: 'continue_trial',
        },
      };
      const params = { features, login_page: { enabled: true }, metadata: { contract: calls.tag } };
      const made = await calls.call('create configuration', {
        method: 'POST',
        path: '/v1/billing_portal/configurations',
        params,
      });
      const path = `/v1/billing_portal/configurations/${idOf(made)}`;
      calls.cleanUp({
        method: 'POST',
        path,
        params: { active: false, login_page: { enabled: false } },
      });
      calls.expect(
        typeof at(made, 'login_page', 'url') === 'string',
        'a configuration has a page to log in',
      );
      const expand = ['features.subscription_update.products'];
      const read = await calls.call('read configuration', {
        method: 'GET',
        path,
        params: { expand },
      });
      calls.expect(
        at(read, 'features', 'subscription_update', 'products', 0, 'prices', 1) === annual,
        'a subscriber can change to the annual price',
      );
      await calls.call('update configuration', {
        method: 'POST',
        path,
        params: { name: 'Contract' },
      });
    }),
  );

  test(
    'Stripe takes a payment and refunds it',
    contract(async (calls) => {
      const subscription = await subscribe(calls, 'pm_card_visa');
      calls.expect(
        at(subscription, 'status') === 'active',
        'a good card makes the subscription active',
      );
      const invoice = String(at(subscription, 'latest_invoice'));
      await calls.call('read invoice', { method: 'GET', path: `/v1/invoices/${invoice}` });
      const intent = await paymentOf(calls, invoice);
      const refund = (step: string, amount: number) =>
        calls.call(step, {
          method: 'POST',
          path: '/v1/refunds',
          params: { payment_intent: intent, amount, reason: 'requested_by_customer' },
        });
      const part = await refund('refund a part', 900);
      calls.expect(at(part, 'status') === 'succeeded', 'a refund in part succeeds');
      const charge = String(at(part, 'charge'));
      calls.expect(
        (await refund('refund too much', 23_900)).status === 400,
        'no more than was paid is refunded',
      );
      await refund('refund the rest', 23_000);
      await calls.call('read charge', { method: 'GET', path: `/v1/charges/${charge}` });
      await calls.call('list refunds', {
        method: 'GET',
        path: '/v1/refunds',
        params: { charge, limit: 100 },
      });
      const none = await refund('refund once more', 1);
      calls.expect(
        at(none, 'error', 'code') === 'charge_already_refunded',
        'nothing is refunded twice',
      );
      await eventAbout(calls, 'charge.refunded', charge);
    }),
  );

  test(
    'Stripe credits a balance, and issues credit notes',
    contract(async (calls) => {
      const invoice = String(
        at(await subscribe(calls, 'pm_card_visa', { balance: -5_000 }), 'latest_invoice'),
      );
      const readInvoice = (step: string) =>
        calls.call(step, { method: 'GET', path: `/v1/invoices/${invoice}` });
      const paid = await readInvoice('read invoice');
      calls.expect(
        at(paid, 'total') === 23_900 && at(paid, 'amount_paid') === 18_900,
        'credit lowers what is paid',
      );
      const refund = await calls.call('refund a part', {
        method: 'POST',
        path: '/v1/refunds',
        params: { payment_intent: await paymentOf(calls, invoice), amount: 400 },
      });
      const params = {
        invoice,
        amount: 900,
        credit_amount: 500,
        refunds: [{ refund: idOf(refund) }],
      };
      await calls.call('credit', { method: 'POST', path: '/v1/credit_notes', params });
      const listed = await calls.call('list', {
        method: 'GET',
        path: '/v1/credit_notes',
        params: { invoice },
      });
      calls.expect(
        at(listed, 'data', 0, 'refunds', 0, 'amount_refunded') === 400,
        'a credit note names its refunds',
      );
      const credited = at(await readInvoice('read again'), 'post_payment_credit_notes_amount');
      calls.expect(credited === 900, 'an invoice says what was credited');
    }),
  );

  test(
    'Stripe says what it keeps of a payment, and names the card',
    contract(async (calls) => {
      const subscription = await subscribe(calls, 'pm_card_visa');
      const intent = await paymentOf(calls, String(at(subscription, 'latest_invoice')));
      const listed = await calls.call('list charges', {
        method: 'GET',
        path: '/v1/charges',
        params: { payment_intent: intent, limit: 1, expand: ['data.balance_transaction'] },
      });
      const entry = (name: string) => at(listed, 'data', 0, 'balance_transaction', name);
      calls.expect(Number(entry('fee')) + Number(entry('net')) === 23_900, 'fee and net add up');
      calls.expect(typeof entry('available_on') === 'number', 'it reaches the balance later');
      const card = at(listed, 'data', 0, 'payment_method_details', 'card', 'last4');
      calls.expect(card === '4242', 'a charge names its card');
    }),
  );

  for (const [does, step, type] of [
    ['voids', 'void', 'invoice.voided'],
    ['writes off', 'mark_uncollectible', 'invoice.marked_uncollectible'],
  ] as const)
    test(
      `Stripe ${does} an unpaid invoice`,
      contract(async (calls) => {
        const unpaid = await subscribe(calls, 'pm_card_authenticationRequired');
        const invoice = String(at(unpaid, 'latest_invoice'));
        const note = await calls.call('credit a part', {
          method: 'POST',
          path: '/v1/credit_notes',
          params: { invoice, amount: 900 },
        });
        calls.expect(at(note, 'invoice') === invoice, 'a credit note names its invoice');
        const path = `/v1/invoices/${invoice}/${step}`;
        const ended = await calls.call('end', { method: 'POST', path });
        calls.expect(at(ended, 'amount_remaining') === 23_000, 'credit lowers what is owed');
        await eventAbout(calls, type, invoice);
      }),
    );

  test(
    'Stripe sells at a price in dollars',
    contract(async (calls) => {
      const subscription = await subscribe(calls, 'pm_card_visa', { currency: 'usd' });
      const path = `/v1/invoices/${String(at(subscription, 'latest_invoice'))}`;
      const invoice = await calls.call('read invoice', { method: 'GET', path });
      calls.expect(at(invoice, 'currency') === 'usd', 'an invoice has the currency of its price');
      calls.expect(
        typeof at(invoice, 'total_excluding_tax') === 'number',
        'an invoice has a sum without tax',
      );
    }),
  );

  test(
    'Stripe refuses the refund of a disputed payment',
    contract(async (calls) => {
      const subscription = await subscribe(calls, 'pm_card_createDispute');
      const intent = await paymentOf(calls, String(at(subscription, 'latest_invoice')));
      const find = (body: unknown) => {
        const data = readPath(body, ['data']);
        const isOurs = (event: unknown) =>
          readPath(event, ['data', 'object', 'payment_intent']) === intent;
        return Array.isArray(data) ? readPath(data.find(isOurs), ['data', 'object']) : undefined;
      };
      await calls.until(
        'the dispute',
        {
          method: 'GET',
          path: '/v1/events',
          params: { types: ['charge.dispute.created'], limit: 100 },
        },
        ({ body }) => find(body) !== undefined,
        // Its money and its evidence are Stripe's own.
        (body) =>
          Object.fromEntries(
            ['reason', 'status', 'is_charge_refundable'].map((name) => [
              name,
              readPath(find(body), [name]),
            ]),
          ),
      );
      const refused = await calls.call('refund', {
        method: 'POST',
        path: '/v1/refunds',
        params: { payment_intent: intent, amount: 900, reason: 'requested_by_customer' },
      });
      calls.expect(
        at(refused, 'error', 'code') === 'charge_disputed',
        'a disputed payment is not refunded',
      );
    }),
  );

  test(
    'Stripe cancels a subscription',
    contract(async (calls) => {
      const subscription = await subscribe(calls, 'pm_card_visa');
      const id = idOf(subscription);
      const path = `/v1/subscriptions/${id}`;
      const expand = ['customer', 'discounts.source.coupon', 'latest_invoice'];
      await calls.call('read with its parts', { method: 'GET', path, params: { expand } });
      const ending = await calls.call('at the end of the period', {
        method: 'POST',
        path,
        params: { cancel_at_period_end: true },
      });
      calls.expect(
        typeof at(ending, 'cancel_at') === 'number',
        'a subscription that ends has a date',
      );
      const ended = await calls.call('now', { method: 'DELETE', path });
      calls.expect(at(ended, 'status') === 'canceled', 'a cancelled subscription is over');
      const twice = await calls.call('twice', { method: 'DELETE', path });
      calls.expect(
        at(twice, 'error', 'code') === 'resource_missing',
        'a cancelled subscription is missing',
      );
      await eventAbout(calls, 'customer.subscription.deleted', id);
    }),
  );

  test(
    'Stripe asks for authentication of a card that needs it',
    contract(async (calls) => {
      const subscription = await subscribe(calls, 'pm_card_authenticationRequired');
      calls.expect(
        at(subscription, 'status') === 'incomplete',
        'without authentication a subscription is incomplete',
      );
      const invoice = String(at(subscription, 'latest_invoice'));
      const read = await calls.call('its invoice', {
        method: 'GET',
        path: `/v1/invoices/${invoice}`,
      });
      calls.expect(at(read, 'status') === 'open', 'its invoice stays open');
    }),
  );

  test(
    'Stripe pauses collection',
    contract(async (calls) => {
      const path = `/v1/subscriptions/${idOf(await subscribe(calls, 'pm_card_visa'))}`;
      const pause = (step: string, value: unknown) =>
        calls.call(step, { method: 'POST', path, params: { pause_collection: value } });
      const paused = await pause('pause', { behavior: 'void' });
      calls.expect(
        at(paused, 'pause_collection', 'behavior') === 'void',
        'a pause of collection is shown',
      );
      calls.expect(
        at(paused, 'status') === 'active',
        'a subscription whose collection is paused stays active',
      );
      calls.expect(
        (await pause('an unknown behaviour', { behavior: 'stop' })).status === 400,
        'a behaviour is checked',
      );
      const resumed = await pause('resume', '');
      calls.expect(at(resumed, 'pause_collection') === null, 'an empty value ends the pause');
    }),
  );

  test(
    'Stripe refuses a key without one permission',
    contract(async (calls) => {
      if (calls.restrictedKey === undefined) return;
      const headers = { authorization: `Bearer ${calls.restrictedKey}` };
      const read = (path: string) =>
        calls.call(path, { method: 'GET', path, params: { limit: 1 }, headers });
      const refused = await read('/v1/disputes');
      calls.expect(refused.status === 403, 'what the key may not read is forbidden');
      const message = String(at(refused, 'error', 'message'));
      calls.expect(/'(?:rak_)?dispute_read'/.test(message), 'the message names the permission');
      await read('/v1/charges');
    }),
  );

  test(
    'Stripe lists events',
    contract(async (calls) => {
      const params = {
        delivery_success: false,
        types: ['invoice.paid', 'charge.refunded'],
        limit: 1,
      };
      await calls.call('not delivered', { method: 'GET', path: '/v1/events', params }, (body) => ({
        ...(body as object),
        data: [],
      }));
      const many = Array.from({ length: 21 }, () => 'invoice.paid');
      await calls.call('too many types', {
        method: 'GET',
        path: '/v1/events',
        params: { types: many },
      });
      await calls.call('without a key', {
        method: 'GET',
        path: '/v1/events',
        headers: { authorization: 'Bearer no' },
      });
    }),
  );
});
