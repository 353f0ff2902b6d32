import { SUBSCRIPTION_STAGES } from '@site/schema/money';
import type { SubscriptionStage } from '@site/schema/money';
import { IN_POUNDS, REFUNDS } from '../../subscriptions/payment.repository.ts';
import { IS_PAUSED, IS_RECURRING, MONTHLY, midnight } from '../../subscriptions/recurring.ts';
import type { MoneyFigure, MoneyPeople, MoneyPeriod, MoneySource } from '@site/schema/calls/money-figures';

/*
 * Who each figure of the money view is about. The figure counts these rows, and the list of its people shows them, so
 * the two cannot disagree. `paid` alone is counted by source, in `readRevenue`. Each statement returns rows of `subscriptions`, with `at`, when it happened or will, and
 * `pence`, the row's part of the figure. What the figures mean is in `docs/money.md`.
 */

/** What the statements below are bound to. */
export type Moment = MoneyPeriod & { now: Date };
export const bind = ({ now, startDate, endDate }: Moment) => ({
  now,
  startDate: startDate ?? null,
  endDate: endDate ?? null,
});

/** The period, from the start of its first London day to the start of the day after its last. */
export const within = (at: string) =>
  `${at} >= coalesce(${midnight(':startDate::date')}, '-infinity')
   and ${at} < ${TO}`;
export const FROM = `coalesce(${midnight(':startDate::date')}, '-infinity')`;
const TO = `coalesce(${midnight(':endDate::date + 1')}, 'infinity')`;

const DAYS_AHEAD = 30;
const TRIAL_DAYS_AHEAD = 7;
const soon = (at: string, days = DAYS_AHEAD) => `${at} >= :now and ${at} < :now::timestamptz + interval '${days} days'`;

const IS_CHARGED = 's.amount_pence > 0 and not s.is_collection_paused';
const lasts = (at: string) => `(s.cancel_at is null or s.cancel_at > ${at})`;
/** A month later, whatever the time zone of the session. */
const aMonthAfter = (at: string) => `((${at} at time zone 'UTC' + interval '1 month') at time zone 'UTC')`;

const charge = (status: string, due: string) =>
  `select s.*, s.${due} as at, s.amount_pence as pence from subscriptions s
   where s.status = '${status}' and ${soon(`s.${due}`)} and ${IS_CHARGED} and ${lasts(`s.${due}`)}
   union all
   select s.*, ${aMonthAfter(`s.${due}`)}, s.amount_pence from subscriptions s
   where s.status = '${status}' and s.plan = 'monthly' and ${IS_CHARGED} and ${lasts(aMonthAfter(`s.${due}`))}
     and s.${due} >= :now and s.${due} < :now::timestamptz + interval '${DAYS_AHEAD - 27} days'
     and ${soon(aMonthAfter(`s.${due}`))}`;

/** Whoever is one payer, whatever subscriptions they have had. */
const payerOf = (s: string) => `coalesce(${s}.email_normalised, ${s}.erased_payer::text, ${s}.stripe_customer_id)`;
const IS_OTHER = `${payerOf('other')} = ${payerOf('s')} and other.status not in ('incomplete', 'incomplete_expired')`;
/** Charges that fall in the period, unless they are cancelled before. */
const due = (status: string, at: string) =>
  `select s.*, s.${at} as at, s.amount_pence as pence from subscriptions s
   where s.status = '${status}' and s.${at} >= :now and ${within(`s.${at}`)} and ${IS_CHARGED} and ${lasts(`s.${at}`)}`;

const FIGURES: Record<MoneyFigure, string> = {
  mrr: `select s.*, s.first_paid_at as at, ${MONTHLY} as pence from subscriptions s
    where ${IS_RECURRING}`,
  paused: `select s.*, s.first_paid_at as at, ${MONTHLY} as pence from subscriptions s where ${IS_PAUSED}`,
  'trials-ending': `select s.*, s.trial_ends_at as at,
      case when ${lasts('s.trial_ends_at')} then s.amount_pence else 0 end as pence
    from subscriptions s where s.status = 'trialing' and ${soon('s.trial_ends_at', TRIAL_DAYS_AHEAD)}`,
  expected: `${charge('trialing', 'trial_ends_at')}
    union all ${charge('active', 'period_ends_at')}
    union all
    select s.*, s.next_payment_attempt_at, coalesce(i.remaining_pence, i.total_pence - i.paid_pence, s.amount_pence)
    from subscriptions s left join stripe_invoices i on i.id = s.latest_invoice_id
    where ${IN_POUNDS} and s.status = 'past_due' and ${soon('s.next_payment_attempt_at')} and not s.is_collection_paused`,
  // By the latest payment of each payer, so that a page reads only what it shows of the index.
  paid: `select s.*, i.paid_at as at,
      (select sum(paid_pence) from stripe_invoices each
        where each.stripe_subscription_id = i.stripe_subscription_id and paid_pence > 0 and ${within('each.paid_at')}
          and coalesce(each.currency, 'gbp') = 'gbp') as pence
    from stripe_invoices i join subscriptions s using (stripe_subscription_id)
    where i.paid_pence > 0 and ${IN_POUNDS} and ${within('i.paid_at')} and not exists (
      select from stripe_invoices later
      where later.stripe_subscription_id = i.stripe_subscription_id and later.paid_pence > 0
        and coalesce(later.currency, 'gbp') = 'gbp' and ${within('later.paid_at')} and (later.paid_at, later.id) > (i.paid_at, i.id))`,
  churned: `select s.*, s.ended_at as at, ${MONTHLY} as pence from subscriptions s
    where s.first_paid_at is not null and s.ended_at is not null and ${within('s.ended_at')}`,
  refunded: `select s.*, r.refunded_at as at, r.amount_pence as pence
    from ${REFUNDS} join subscriptions s on s.stripe_subscription_id = i.stripe_subscription_id
    where ${IN_POUNDS} and ${within('r.refunded_at')}`,
  'new-payers': `select s.*, s.first_paid_at as at, ${MONTHLY} as pence from subscriptions s
    where ${within('s.first_paid_at')} and not exists (
      select from subscriptions other where ${IS_OTHER} and (other.first_paid_at, other.id) < (s.first_paid_at, s.id))`,
  // Unless they had another subscription by then.
  cancelled: `select s.*, s.ended_at as at, ${MONTHLY} as pence from subscriptions s
    where ${within('s.ended_at')} and exists (
      select from subscriptions other where ${IS_OTHER} and other.first_paid_at < ${TO}
    ) and not exists (
      select from subscriptions other where ${IS_OTHER} and coalesce(other.started_at, other.created_at) < ${TO}
        and (coalesce(other.ended_at, 'infinity'), other.id) > (s.ended_at, s.id))`,
  'trials-due': due('trialing', 'trial_ends_at'),
  'renewals-due': due('active', 'period_ends_at'),
};

/** The dates of a subscription, and whether they lie ahead. */
const DATES = {
  trial_ends_at: true,
  period_ends_at: true,
  cancel_at: true,
  next_payment_attempt_at: true,
  started_at: false,
  ended_at: false,
};
/** The date that matters at each stage. */
const STAGE_DATES: Record<SubscriptionStage, keyof typeof DATES> = {
  trial: 'trial_ends_at',
  paying: 'period_ends_at',
  ending: 'cancel_at',
  dunning: 'next_payment_attempt_at',
  suspended: 'started_at',
  ended: 'ended_at',
  incomplete: 'started_at',
};

const STAGES = Object.fromEntries(
  SUBSCRIPTION_STAGES.map((stage) => [
    stage,
    `select s.*, s.${STAGE_DATES[stage]} as at, s.amount_pence as pence from subscriptions s where s.stage = '${stage}'`,
  ]),
) as Record<SubscriptionStage, string>;

export const PEOPLE: Record<MoneyPeople, string> = { ...FIGURES, ...STAGES };

/** Narrows a statement above to those whose lead has this source and campaign, or has none. */
export function ofSource(people: string, { source, campaign, without }: MoneySource) {
  const conditions = [
    source !== undefined && 'l.utm_source = :source',
    campaign !== undefined && 'l.visit_utm_campaign = :campaign',
    without?.includes('source') && 'l.utm_source is null',
    without?.includes('campaign') && 'l.visit_utm_campaign is null',
  ].filter((condition) => typeof condition === 'string');
  const from = `(${people}) people`;
  return {
    from: conditions.length === 0 ? from : `${from} left join leads l on l.id = people.lead_id`,
    where: ['true', ...conditions].join(' and '),
    bindings: { ...(source !== undefined && { source }), ...(campaign !== undefined && { campaign }) },
  };
}

const isStage = (of: MoneyPeople): of is SubscriptionStage => Object.hasOwn(STAGE_DATES, of);

/** Tells whether everybody on the list has a time. */
export const isDated = (of: MoneyPeople) => !isStage(of) && of !== 'mrr' && of !== 'paused';

/** What lies ahead is read from the next on, what has happened from the latest back. */
export const isAhead = (of: MoneyPeople) =>
  isStage(of)
    ? DATES[STAGE_DATES[of]]
    : of === 'trials-ending' || of === 'expected' || of === 'trials-due' || of === 'renewals-due';
