import type { Database } from '@site/platform/database/connect';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  storeCharge,
  storeDispute as storeReadDispute,
} from '../../billing/storing/payment.repository.ts';
import { test } from '../../testing/api.fixture.ts';
import {
  storeDispute,
  storeInvoice,
  storeRefund,
  storeSubscription,
} from '@site/testing/money-builders';

const NOW = new Date('2026-07-15T12:00:00Z');
const COLUMNS =
  'date,kind,invoice number,Stripe refund or dispute,Stripe charge,Stripe invoice,Stripe subscription,Stripe customer,customer,email,country,net,tax,gross,Stripe fee,after fee,in balance,currency,invoice link'.split(
    ',',
  );
type Payment = { id: string; subscription: string; paidAt: string };

const pay = (db: Database, { subscription, paidAt, ...given }: Payment & Record<string, unknown>) =>
  storeInvoice(db, {
    stripeSubscriptionId: subscription,
    paidAt: new Date(paidAt),
    ...given,
  });
const rowsOf = (text: string) => parse<Record<string, string>>(text, { columns: true, bom: true });
const TAXED = { taxPence: 3_983, country: 'GB' };

test('the payments’ CSV needs a session, and is recorded', async ({ api, db }) => {
  expect((await api.call('GET', '/api/admin/money/payments.csv')).status).toBe(401);

  await api.call('GET', '/api/admin/money/payments.csv?startDate=2026-07-01', {
    headers: await api.logIn(),
  });

  const detail = { startDate: '2026-07-01' };
  expect(await db('operator_actions').where({ action: 'export-payments' })).toMatchObject([
    { detail },
  ]);
});

test('the payments’ CSV has the payments, refunds and disputes of London days', async ({
  api,
  operator,
  db,
}) => {
  api.clock.moveTo(NOW);
  const subscription = await storeSubscription(db, {
    name: 'Priya Raman',
    stripeCustomerId: 'cus_1',
  });
  const erased = await storeSubscription(db, {
    email: null,
    status: 'canceled',
    stripeCustomerId: 'cus_2',
  });
  // An hour before midnight in UTC is July in London.
  const first = await pay(db, {
    id: 'in_1',
    subscription,
    paidAt: '2026-06-30T23:00:00Z',
    number: 'A-1',
    pageUrl: 'https://invoice.stripe.com/i/1',
    ...TAXED,
  });
  await pay(db, {
    id: 'in_2',
    subscription: erased,
    paidAt: '2026-07-02T09:00:00Z',
    number: 'B-1',
  });
  await pay(db, { id: 'in_3', subscription, paidAt: '2026-06-30T22:59:59Z', ...TAXED });
  const refund = {
    stripeChargeId: 'ch_1',
    amountPence: 1_200,
    refundedAt: new Date('2026-07-03T09:00:00Z'),
  };
  await storeRefund(db, first, { id: 're_1', ...refund });
  await storeRefund(db, first, { id: 're_2', ...refund, status: 'failed' });
  const disputed = {
    stripeSubscriptionId: erased,
    // The refund's invoice could not be read.
    stripeInvoiceId: 'in_unread',
    stripeChargeId: 'ch_2',
    currency: 'gbp',
  };
  await storeDispute(db, disputed, { id: 'dp_1', status: 'lost', openedAt: NOW });
  await storeDispute(db, disputed, { id: 'dp_2', status: 'won', openedAt: NOW });

  const answer = await operator.get('money/payments.csv?startDate=2026-07-01&endDate=2026-07-31');

  expect(answer.headers.get('content-disposition')).toBe(
    'attachment; filename="payments-from-2026-07-01-to-2026-07-15.csv"',
  );
  const june = await operator.get('money/payments.csv?startDate=2026-06-01&endDate=2026-06-30');
  expect(june.headers.get('content-disposition')).toBe(
    'attachment; filename="payments-from-2026-06-01-to-2026-06-30.csv"',
  );
  expect(answer.text.split('\r\n')[0]?.replace('\uFEFF', '').split(',')).toEqual(COLUMNS);
  expect(rowsOf(answer.text)).toEqual([
    {
      date: '2026-07-01',
      kind: 'payment',
      'invoice number': 'A-1',
      'Stripe refund or dispute': '',
      'Stripe charge': '',
      'Stripe invoice': 'in_1',
      'Stripe subscription': subscription,
      'Stripe customer': 'cus_1',
      customer: 'Priya Raman',
      email: 'priya@acquirers.example',
      country: 'GB',
      net: '199.17',
      tax: '39.83',
      gross: '239.00',
      'Stripe fee': '',
      'after fee': '',
      'in balance': '',
      currency: 'GBP',
      'invoice link': 'https://invoice.stripe.com/i/1',
    },
    expect.objectContaining({
      date: '2026-07-02',
      kind: 'payment',
      customer: '',
      email: '',
      country: '',
      net: '',
      tax: '',
      gross: '239.00',
      'Stripe fee': '',
      'after fee': '',
      'in balance': '',
      currency: 'GBP',
      'invoice link': '',
      'Stripe charge': '',
      'Stripe invoice': 'in_2',
      'Stripe subscription': erased,
      'Stripe customer': 'cus_2',
    }),
    expect.objectContaining({
      date: '2026-07-03',
      kind: 'refund',
      net: '-10.00',
      tax: '-2.00',
      gross: '-12.00',
      'Stripe fee': '',
      'after fee': '',
      'in balance': '',
      'Stripe refund or dispute': 're_1',
      'Stripe charge': 'ch_1',
      'Stripe invoice': 'in_1',
    }),
    expect.objectContaining({
      date: '2026-07-15',
      kind: 'dispute',
      gross: '-239.00',
      'Stripe fee': '',
      'after fee': '',
      'in balance': '',
      net: '',
      'Stripe charge': 'ch_2',
      'Stripe invoice': 'in_unread',
      'Stripe subscription': erased,
    }),
  ]);
});

test('a closed month stays when a refund fails, or a dispute ends, later', async ({
  api,
  operator,
  db,
}) => {
  const read = async (query: string) =>
    rowsOf((await operator.get(`money/payments.csv${query}`)).text).map(({ date, kind, gross }) => [
      date,
      kind,
      gross,
    ]);
  const figures = async (month: string) => {
    const { json } = await operator.get('money/history?months=2');
    const {
      paid,
      refunded,
      lost: held,
      moneyIn,
    } = json.months.find((each: { month: string }) => each.month === month);
    expect(moneyIn.pence).toBe(paid.pence - refunded.pence - held.pence);
    return { paid: paid.pence, refunded: refunded.pence, held: held.pence };
  };
  api.clock.moveTo(new Date('2026-08-15T12:00:00Z'));
  const subscription = await storeSubscription(db);
  await pay(db, { id: 'in_1', subscription, paidAt: '2026-07-02T09:00:00Z', ...TAXED });
  await pay(db, { id: 'in_2', subscription, paidAt: '2026-07-02T10:00:00Z', ...TAXED });
  const refund = {
    id: 're_1',
    amountPence: 1_200,
    currency: 'gbp',
    failureReason: null,
    operatorRequest: null,
    refundedAt: new Date('2026-07-03T09:00:00Z'),
  };
  const store = (status: string, readAt: string) =>
    storeCharge(db, {
      id: 'ch_1',
      paymentIntentId: 'pi_1',
      invoiceId: 'in_1',
      stripeSubscriptionId: subscription,
      refunds: [{ ...refund, status }],
      readAt,
    });
  await store('succeeded', '2026-07-03T09:00:00Z');
  const dispute = {
    id: 'dp_1',
    stripeSubscriptionId: subscription,
    invoiceId: 'in_2',
    chargeId: 'ch_2',
    amountPence: 23_900,
    currency: 'gbp',
    reason: 'fraudulent',
    evidenceDueAt: null,
    openedAt: new Date('2026-07-05T09:00:00Z'),
  };
  await storeReadDispute(db, {
    ...dispute,
    status: 'under_review',
    readAt: '2026-07-05T09:00:00Z',
  });
  // An inquiry takes nothing until it becomes a dispute.
  const inquiry = { ...dispute, id: 'dp_2', invoiceId: 'in_3', chargeId: 'ch_3' };
  await storeReadDispute(db, {
    ...inquiry,
    status: 'warning_needs_response',
    readAt: '2026-07-06T09:00:00Z',
  });
  const [july, julyFigures] = [
    await read('?startDate=2026-07-01&endDate=2026-07-31'),
    await figures('2026-07'),
  ];

  await store('failed', '2026-08-04T09:00:00Z');
  await store('failed', '2026-08-09T09:00:00Z');
  await storeReadDispute(db, { ...dispute, status: 'lost', readAt: '2026-08-06T09:00:00Z' });
  await storeReadDispute(db, { ...dispute, status: 'lost', readAt: '2026-08-10T09:00:00Z' });
  await storeReadDispute(db, {
    ...inquiry,
    status: 'needs_response',
    readAt: '2026-08-08T09:00:00Z',
  });
  await storeReadDispute(db, {
    ...inquiry,
    status: 'under_review',
    readAt: '2026-08-12T09:00:00Z',
  });

  expect(await read('?startDate=2026-07-01&endDate=2026-07-31')).toEqual(july);
  expect(await figures('2026-07')).toEqual(julyFigures);
  expect(july.slice(2)).toEqual([
    ['2026-07-03', 'refund', '-12.00'],
    ['2026-07-05', 'dispute', '-239.00'],
  ]);
  expect(julyFigures).toEqual({ paid: 47_800, refunded: 1_200, held: 23_900 });
  expect(await read('?startDate=2026-08-01')).toEqual([
    ['2026-08-04', 'failed refund', '12.00'],
    ['2026-08-08', 'dispute', '-239.00'],
  ]);
  const held = { paid: 0, refunded: -1_200, held: 23_900 };
  expect(await figures('2026-08')).toEqual(held);

  // An appeal returns the money only when it is won.
  api.clock.moveTo(new Date('2026-09-15T12:00:00Z'));
  await storeReadDispute(db, {
    ...dispute,
    status: 'appeal_under_review',
    readAt: '2026-08-20T09:00:00Z',
  });
  const [august, september] = [
    await read('?endDate=2026-08-31'),
    await read('?startDate=2026-09-01'),
  ];
  await storeReadDispute(db, { ...dispute, status: 'won', readAt: '2026-09-03T09:00:00Z' });
  await storeReadDispute(db, { ...dispute, status: 'won', readAt: '2026-09-09T09:00:00Z' });
  const list = await operator.get('money/people?of=lost&startDate=2026-08-01');

  expect(september).toEqual([]);
  expect(await read('?endDate=2026-08-31')).toEqual(august);
  expect(await figures('2026-08')).toEqual(held);
  expect(await read('?startDate=2026-09-01')).toEqual([['2026-09-03', 'won dispute', '239.00']]);
  expect(await figures('2026-09')).toEqual({ paid: 0, refunded: 0, held: -23_900 });
  expect(list.json.people.map(({ amount }: { amount: { pence: number } }) => amount.pence)).toEqual(
    [-23_900, 23_900],
  );
});

test('the tax of a payment refunded in parts adds up to nothing', async ({ operator, db }) => {
  const subscription = await storeSubscription(db);
  const paidAt = '2026-07-02T09:00:00Z';
  const paid = await pay(db, { id: 'in_1', subscription, paidAt, ...TAXED });
  for (const [n, amountPence] of [7_967, 7_967, 7_966].entries())
    await storeRefund(db, paid, {
      amountPence,
      refundedAt: new Date(`2026-07-0${n + 3}T09:00:00Z`),
    });
  const read = async (query: string) =>
    rowsOf((await operator.get(`money/payments.csv${query}`)).text);

  const rows = await read('');

  const sum = (column: string) =>
    rows.reduce((all, row) => all + Math.round(Number(row[column]) * 100), 0);
  expect([sum('net'), sum('tax'), sum('gross')]).toEqual([0, 0, 0]);
  // A part of the period has the same rows.
  expect(await read('?startDate=2026-07-04')).toEqual(rows.slice(2));
});

test('an amount has the number of decimals of its currency', async ({ operator, db }) => {
  const subscription = await storeSubscription(db);
  const paidAt = '2026-07-02T09:00:00Z';
  const yen = {
    totalPence: 3_300,
    paidPence: 3_300,
    taxPence: 300,
    country: 'JP',
    currency: 'jpy',
  };
  await pay(db, { id: 'in_1', subscription, paidAt, ...yen });
  await pay(db, { id: 'in_2', subscription, paidAt, ...yen, currency: 'kwd' });

  const { text } = await operator.get('money/payments.csv');

  expect(rowsOf(text)).toMatchObject([
    { net: '3000', tax: '300', gross: '3300', currency: 'JPY' },
    { net: '3.000', tax: '0.300', gross: '3.300', currency: 'KWD' },
  ]);
});

test('each payment is in the CSV once, net and tax make gross, no cell is a formula', async ({
  operator,
  db,
}) => {
  const name = fc.oneof(fc.stringMatching(/^[=+\-@"',;\r\n\t x]{1,6}$/), fc.constant(null));
  const given = fc.record({
    name,
    total: fc.integer({ min: 1, max: 1_000_000 }),
    share: fc.integer({ min: 0, max: 100 }),
    paid: fc.integer({ min: 1, max: 100 }),
    refunded: fc.integer({ min: 0, max: 100 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(given, { minLength: 1, maxLength: 6 }), async (payments) => {
      await db('subscriptions').delete();
      let expected = 0;
      for (const [n, one] of payments.entries()) {
        const subscription = await storeSubscription(db, {
          name: one.name,
          email: `${n}@x.example`,
        });
        const taxPence = Math.floor((one.total * one.share) / 120);
        const paidPence = Math.max(1, Math.floor((one.total * one.paid) / 100));
        const sums = {
          totalPence: one.total,
          paidPence,
          taxPence,
        };
        const paidAt = '2026-07-01T09:00:00Z';
        const payment = await pay(db, { id: `in_${n}`, subscription, paidAt, ...sums });
        const amountPence = Math.floor((paidPence * one.refunded) / 100);
        await storeRefund(db, payment, { amountPence, refundedAt: NOW });
        expected += paidPence - amountPence;
      }

      const { text } = await operator.get('money/payments.csv');

      const rows = rowsOf(text);
      const pence = (row: Record<string, string>, column: string) =>
        Math.round(Number(row[column]) * 100);
      expect(rows).toHaveLength(2 * payments.length);
      expect(rows.reduce((sum, row) => sum + pence(row, 'gross'), 0)).toBe(expected);
      for (const row of rows) {
        expect(pence(row, 'net') + pence(row, 'tax')).toBe(pence(row, 'gross'));
        expect(Object.keys(row)).toEqual(COLUMNS);
        for (const [column, cell] of Object.entries(row)) {
          if (/^[=+\-@\t\r\n]/.test(cell))
            expect([column, cell]).toEqual([column, expect.stringMatching(/^-\d+\.\d\d$/)]);
        }
      }
    }),
    { numRuns: 15 },
  );
});

test('a payment’s fee is empty until Stripe has told it', async ({ api, operator, db }) => {
  api.clock.moveTo(NOW);
  const subscription = await storeSubscription(db);
  const paidAt = '2026-07-01T12:00:00Z';
  await pay(db, { id: 'in_1', subscription, paidAt });
  const availableAt = new Date('2026-07-08T00:00:00Z');
  await pay(db, { id: 'in_2', subscription, paidAt, feePence: 379, availableAt });

  const { text } = await operator.get('money/payments.csv');

  const fees = rowsOf(text).map((row) => [row['Stripe fee'], row['after fee'], row['in balance']]);
  expect(fees).toEqual([
    ['', '', ''],
    ['3.79', '235.21', '2026-07-08'],
  ]);
});
