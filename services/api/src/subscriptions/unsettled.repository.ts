import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';
import { IS_DISPUTE_OPEN, PAID_BY } from './payment.repository.ts';

/*
 * Subscriptions that continue without payment: after a lost dispute or a full refund of the latest payment, or because Stripe
 * will not try to charge again. Each cause has an id, so that a review holds until there is another cause.
 */

const PAYMENTS = 'stripe_charges c join stripe_invoices i on i.id = c.stripe_invoice_id';
/** One by one: Postgres expects a third of all charges to be refunded, and would read every invoice and subscription. */
const INVOICE = 'select * from stripe_invoices where id = c.stripe_invoice_id limit 1';
const SUBSCRIPTION =
  'select * from subscriptions where stripe_subscription_id = found.stripe_subscription_id limit 1';
/** Since the payment of the invoice `i`, nothing else was paid: it covers today, so nothing does once it is refunded. */
const IS_LATEST_PAID = `i.issued_at >= (
  select max(issued_at) from stripe_invoices where stripe_subscription_id = i.stripe_subscription_id and paid_pence > 0)`;
/** The causes of all subscriptions, or of one. */
const toCauses = (one?: string) => `
  select i.stripe_subscription_id, 'dispute-lost' as reason, d.id as cause, d.amount_pence, i.currency, d.opened_at as since
  from stripe_disputes d join ${PAYMENTS} on d.stripe_charge_id = c.id where d.status = 'lost' ${one ? `and i.stripe_subscription_id = ${one}` : ''}
  union all
  select i.stripe_subscription_id, 'refunded', c.id, c.refunded_pence, i.currency, coalesce(i.paid_at, i.issued_at)
  from ${one ? PAYMENTS : `stripe_charges c cross join lateral (${INVOICE}) i`}
  where c.refunded_pence >= c.amount_pence and c.amount_pence > 0 and ${IS_LATEST_PAID}
    ${one ? `and i.stripe_subscription_id = ${one}` : ''}
  union all
  select unpaid.stripe_subscription_id, 'no-retries', coalesce(open.id, unpaid.latest_invoice_id, 'unpaid'),
    coalesce(open.unpaid_pence, unpaid.amount_pence), open.currency, coalesce(open.issued_at, unpaid.updated_at)
  from subscriptions unpaid left join lateral (
    select id, issued_at, currency, coalesce(remaining_pence, total_pence - paid_pence) as unpaid_pence from stripe_invoices
    where stripe_subscription_id = unpaid.stripe_subscription_id and status = 'open' order by issued_at limit 1
  ) open on true
  where unpaid.stage in ('dunning', 'suspended') and not unpaid.is_collection_paused
    and (unpaid.status = 'unpaid' or (unpaid.status = 'past_due' and unpaid.next_payment_attempt_at is null))
    ${one ? `and unpaid.stripe_subscription_id = ${one}` : ''}`;

const isUnsettled = (s: string) =>
  `${s}.stage not in ('ending', 'ended', 'incomplete') and ${s}.cancel_at is null and found.cause <> all(${s}.reviewed_causes)`;

/** Read only of those that are not settled. */
const SINCE = `case found.reason when 'refunded' then coalesce((
  select max(refunded_at) from stripe_refunds where stripe_charge_id = found.cause), found.since) else found.since end`;

/** Each subscription once, with its newest cause that nobody has reviewed. */
export const UNSETTLED = `(
  select distinct on (s.stripe_subscription_id) s.stripe_subscription_id, s.email, s.lead_id, found.reason,
    found.cause, found.amount_pence, found.currency, ${SINCE} as since
  from (${toCauses()}) found cross join lateral (${SUBSCRIPTION}) s
  where ${isUnsettled('s')}
  order by s.stripe_subscription_id, ${SINCE} desc
)`;

/** The newest cause, which nobody has reviewed, of the row `s` of `subscriptions`. Null without one. */
export const unsettledOf = (s: string) => `(
  select json_build_object('reason', reason, 'amountPence', amount_pence, 'currency', currency)
  from (${toCauses(`${s}.stripe_subscription_id`)}) found where ${isUnsettled(s)} order by ${SINCE} desc limit 1
)`;

/** The stage of the row `s` of `subscriptions` as every list shows it: while it runs, what needs a decision comes first. */
export const shownStage = (
  s: string,
) => `case when ${s}.stage in ('ended', 'incomplete') then ${s}.stage
  when exists (select from stripe_disputes d ${PAID_BY}
    where i.stripe_subscription_id = ${s}.stripe_subscription_id and ${IS_DISPUTE_OPEN}) then 'disputed'
  when ${unsettledOf(s)} is not null then 'unsettled' else ${s}.stage end`;

export async function listUnsettled(
  db: Database,
  limit: number,
): Promise<CallSent<'GET /api/admin/money'>['unsettled']> {
  return query(
    db,
    `select stripe_subscription_id, email, lead_id, reason, amount_pence, currency, since
     from ${UNSETTLED} unsettled order by since desc limit ?`,
    [limit],
  );
}

/** Marks every cause of a subscription as reviewed. Returns undefined if it has none. */
export async function reviewUnsettled(
  trx: Database,
  id: string,
): Promise<'marked' | 'marked-before' | undefined> {
  const [found] = await query<{ isNew: boolean }>(
    trx,
    `with found as (select array_agg(cause) as causes from (${toCauses(':id')}) each)
     update subscriptions s set reviewed_causes = found.causes from found, subscriptions before
     where s.stripe_subscription_id = :id and before.id = s.id and found.causes is not null
     returning not before.reviewed_causes @> found.causes as is_new`,
    { id },
  );
  return found && (found.isNew ? 'marked' : 'marked-before');
}
