import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { londonDate } from '@site/schema/calendar';
import { decimalsOf } from '@site/schema/money';
import type { MoneyPeriod } from '@site/schema/calls/money';
import type { Response } from 'express';
import type { Pool } from 'pg';
import { sendCsv } from '../../http/send-csv.ts';
import { bindPeriod } from './money.repository.ts';

/*
 * Payments, refunds and disputes for the accounts: a row each, on its own day. A failed refund and
 * a won dispute have their own rows. Net and tax are the invoice's share of the amount. The tax of
 * an invoice's running sum is rounded, so that parts add up to their whole.
 */

/** Currencies whose amounts do not have two decimals, with their number. */
const DECIMALS = JSON.stringify(
  Object.fromEntries(
    Intl.supportedValuesOf('currency')
      .map((currency) => [currency.toLowerCase(), decimalsOf(currency)] as const)
      .filter(([, decimals]) => decimals !== 2),
  ),
);
/** An amount with its currency's decimals. */
const amount = (pence: string) => `round((${pence}) * 10::numeric ^ -decimals, decimals)`;

/** Only a payment has a fee, empty while Stripe has not told it. */
const paid = (cell: string) => `case when kind = 'payment' then ${cell} end`;

/**
 * The columns, in the file's order. The link is Stripe's, because the accountant has no login here.
 * Amounts are numbers, so a minus begins no formula.
 */
const COLUMNS = {
  date: `to_char(at at time zone 'Europe/London', 'YYYY-MM-DD')`,
  kind: 'kind',
  'invoice number': 'i.number',
  'Stripe refund or dispute': "case when kind <> 'payment' then p.id end",
  'Stripe charge': 'p.stripe_charge_id',
  'Stripe invoice': 'p.stripe_invoice_id',
  'Stripe subscription': 's.stripe_subscription_id',
  'Stripe customer': 's.stripe_customer_id',
  customer: 's.name',
  email: 's.email',
  country: 'i.country',
  net: amount('pence - tax'),
  tax: amount('tax'),
  gross: amount('pence'),
  'Stripe fee': paid(amount('i.fee_pence')),
  'after fee': paid(amount('pence - i.fee_pence')),
  'in balance': paid(`to_char(i.available_at at time zone 'Europe/London', 'YYYY-MM-DD')`),
  currency: 'upper(p.currency)',
  'invoice link': 'i.page_url',
};
const NAMES = Object.keys(COLUMNS);
const PLAIN = ['date', 'net', 'tax', 'gross', 'Stripe fee', 'after fee', 'in balance'];
const TEXTS = NAMES.filter((name) => !PLAIN.includes(name));
const quoted = (names: string[]) => names.map((name) => `"${name}"`).join(', ');

/**
 * Streams the payments, refunds and disputes of a period, the oldest first. Throws as
 * `sendCsv` does.
 */
export async function sendPaymentsCsv(
  deps: { db: Database; exportPool: Pool; clock: Clock },
  { startDate, endDate }: MoneyPeriod,
  res: Response,
): Promise<void> {
  const cells = Object.entries(COLUMNS).map(([name, cell]) => `${cell} as "${name}"`);
  const rows = deps.db.raw(
    `select ${cells.join(', ')}
     from payments p
       join subscriptions s using (stripe_subscription_id)
       left join stripe_invoices i on i.id = p.stripe_invoice_id
       cross join lateral (
         select coalesce(sum(earlier.pence), 0) as earlier_pence
         from payments earlier
         where p.kind <> 'payment' and earlier.stripe_invoice_id = p.stripe_invoice_id
           and (earlier.at, earlier.kind = 'payment', earlier.id) < (p.at, p.kind = 'payment', p.id)
       ) before
       cross join lateral (
         select tax_pence::numeric / nullif(total_pence, 0) as tax_share,
           coalesce((:decimals::jsonb ->> p.currency)::int, 2) as decimals
       ) invoice
       cross join lateral (
         select round((earlier_pence + pence) * tax_share) - round(earlier_pence * tax_share) as tax
       ) part
     where p.at >= :from and p.at < :to
     order by p.at, p.stripe_invoice_id, kind = 'payment', p.id`,
    { ...bindPeriod({ startDate, endDate }), decimals: DECIMALS },
  );
  // Coming days have no rows yet, so the file's name leaves them out.
  const today = londonDate(deps.clock.now());
  const last = endDate !== undefined && endDate < today ? endDate : today;
  const fileName = `payments${startDate ? `-from-${startDate}` : ''}-to-${last}.csv`;
  const copy = (sql: string) =>
    `copy (${sql}) to stdout (format csv, force_quote (${quoted(TEXTS)}))`;
  await sendCsv(deps, { fileName, head: `\uFEFF${NAMES.join(',')}\r\n`, rows, copy }, res);
}
