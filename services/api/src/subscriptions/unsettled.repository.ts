import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';

/*
 * Subscriptions that continue without payment: after a lost dispute or a full refund of the latest payment, or because Stripe
 * will not try to charge again. Each cause has an id, so that a review holds until there is another cause.
 */

/** One by one: Postgres expects many more than there are, and would read every subscription. */
const SUBSCRIPTION =
  'select * from subscriptions where stripe_subscription_id = found.stripe_subscription_id limit 1';
/** Since the payment of the invoice `i`, nothing else was paid: it covers today, so nothing does once it is refunded. */
const IS_LATEST_PAID = `i.issued_at >= (
  select max(issued_at) from stripe_invoices where stripe_subscription_id = i.stripe_subscription_id and paid_pence > 0)`;
/** The causes of all subscriptions, or of one. */
const toCauses = (one?: string) => `
  select stripe_subscription_id, 'dispute-lost' as reason, id as cause, amount_pence, currency, opened_at as since
  from stripe_disputes d where status = 'lost' ${one ? `and d.stripe_subscription_id = ${one}` : ''}
  union all
  select i.stripe_subscription_id, 'refunded', 'refunded ' || i.id, i.refunded_pence, i.currency, coalesce(
    (select max(refunded_at) from stripe_refunds where stripe_invoice_id = i.id), i.paid_at, i.issued_at)
  from stripe_invoices i where i.is_refunded and ${IS_LATEST_PAID}
    ${one ? `and i.stripe_subscription_id = ${one}` : ''}
  union all
  select unpaid.stripe_subscription_id, 'no-retries', coalesce(open.id, unpaid.latest_invoice_id, 'unpaid'),
    coalesce(open.unpaid_pence, unpaid.amount_pence), coalesce(open.currency, 'gbp'), coalesce(open.issued_at, unpaid.updated_at)
  from subscriptions unpaid left join lateral (
    select id, issued_at, currency, coalesce(remaining_pence, total_pence - paid_pence) as unpaid_pence from stripe_invoices
    where stripe_subscription_id = unpaid.stripe_subscription_id and status = 'open' order by issued_at limit 1
  ) open on true
  where unpaid.stage in ('dunning', 'suspended') and not unpaid.is_collection_paused
    and (unpaid.status = 'unpaid' or (unpaid.status = 'past_due' and unpaid.next_payment_attempt_at is null))
    ${one ? `and unpaid.stripe_subscription_id = ${one}` : ''}`;

const isUnsettled = (s: string) =>
  `${s}.stage not in ('ending', 'ended', 'incomplete') and ${s}.cancel_at is null and found.cause <> all(${s}.reviewed_causes)`;

/** Each subscription once, with its newest cause that nobody has reviewed. */
export const UNSETTLED = `(
  select distinct on (s.stripe_subscription_id) s.stripe_subscription_id, s.email, s.lead_id, found.reason,
    found.cause, found.amount_pence, found.currency, found.since
  from (${toCauses()}) found cross join lateral (${SUBSCRIPTION}) s
  where ${isUnsettled('s')}
  order by s.stripe_subscription_id, found.since desc
)`;

/** The newest cause, which nobody has reviewed, of the row `s` of `subscriptions`. Null without one. */
export const unsettledOf = (s: string) => `(
  select json_build_object('reason', reason, 'amountPence', amount_pence, 'currency', currency)
  from (${toCauses(`${s}.stripe_subscription_id`)}) found where ${isUnsettled(s)} order by found.since desc limit 1
)`;

/** The stage of the row `s` of `subscriptions` as every list shows it: while it runs, what needs a decision comes first. */
export const shownStage = (
  s: string,
) => `case when ${s}.stage in ('ended', 'incomplete') then ${s}.stage
  when exists (select from stripe_disputes d
    where d.stripe_subscription_id = ${s}.stripe_subscription_id and d.is_open) then 'disputed'
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
