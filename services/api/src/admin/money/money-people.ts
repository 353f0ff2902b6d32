import { SUBSCRIPTION_STAGES } from '@site/schema/money';
import type { SubscriptionStage } from '@site/schema/money';
import { londonDate } from '@site/schema/calendar';
import { MONEY_FIGURES } from '@site/schema/calls/money-figures';
import type {
  MoneyFigure,
  MoneyPeople,
  MoneyPeriod,
  MoneyPrice,
} from '@site/schema/calls/money-figures';

/*
 * Who each figure of money is about. The figure counts these rows, and the list of its people shows them, so the two
 * cannot disagree. Each statement returns rows of `subscriptions`, with `at`, when it happened or will, and `pence`, the
 * row's part of the figure. What the figures mean is in `docs/money.md`.
 */

export type Moment = MoneyPeriod & { now: Date };
/** The period, from the start of its first London day to the end of its last, as Postgres reads times. */
export const bind = ({ now, startDate, endDate }: Moment) => ({
  now,
  from: startDate ? `${startDate} 00:00 Europe/London` : '-infinity',
  to: endDate ? `${endDate} 24:00 Europe/London` : 'infinity',
  isOver: endDate !== undefined && endDate < londonDate(now),
});

/*
 * Every payment has a subscription. So that those who are only counted are not looked up, it is joined as if some had none.
 * One payer has an address, whatever subscriptions they have had. Charges are due unless they are cancelled before.
 */
const FIGURES: Record<MoneyFigure, string> = {
  payments: `select s.*, p.at, p.pence, p.id as entry
    from payments p left join subscriptions s using (stripe_subscription_id)
    where p.kind = 'payment' and p.currency = 'gbp' and p.at >= :from and p.at < :to`,
  refunded: `select s.*, p.at, -p.pence as pence, p.kind || ' ' || p.id as entry
    from payments p left join subscriptions s using (stripe_subscription_id)
    where p.kind in ('refund', 'failed refund') and p.currency = 'gbp' and p.at >= :from and p.at < :to`,
  lost: `select s.*, p.at, -p.pence as pence, p.kind || ' ' || p.id as entry
    from payments p left join subscriptions s using (stripe_subscription_id)
    where p.kind in ('lost dispute', 'won dispute') and p.currency = 'gbp' and p.at >= :from and p.at < :to`,
  'renewals-due': `select s.*, s.period_ends_at as at, s.amount_pence as pence from subscriptions s
    where s.status = 'active' and s.period_ends_at >= :now and s.period_ends_at >= :from and s.period_ends_at < :to
      and s.amount_pence > 0 and not s.is_collection_paused
      and (s.cancel_at is null or s.cancel_at > s.period_ends_at)`,
  'trials-due': `select s.*, s.trial_ends_at as at, s.amount_pence as pence from subscriptions s
    where s.status = 'trialing' and s.trial_ends_at >= :now and s.trial_ends_at >= :from and s.trial_ends_at < :to
      and s.amount_pence > 0 and not s.is_collection_paused
      and (s.cancel_at is null or s.cancel_at > s.trial_ends_at)`,
  mrr: `select s.*, s.first_paid_at as at, s.monthly_pence as pence from subscriptions s
    where s.status in ('active', 'past_due') and s.price_pence > 0 and not s.is_collection_paused`,
  paused: `select s.*, s.first_paid_at as at, s.monthly_pence as pence from subscriptions s
    where s.status in ('active', 'past_due') and s.price_pence > 0 and s.is_collection_paused`,
  'new-payers': `select s.*, s.first_paid_at as at, s.monthly_pence as pence from subscriptions s
    where s.first_paid_at >= :from and s.first_paid_at < :to and not exists (
      select from subscriptions other
      where coalesce(other.email_normalised, other.erased_payer::text, other.stripe_customer_id)
          = coalesce(s.email_normalised, s.erased_payer::text, s.stripe_customer_id)
        and other.status not in ('incomplete', 'incomplete_expired')
        and (other.first_paid_at, other.id) < (s.first_paid_at, s.id))`,
  // Unless they had another subscription by then.
  cancelled: `select s.*, s.ended_at as at, s.monthly_pence as pence from subscriptions s
    where s.ended_at >= :from and s.ended_at < :to and (s.first_paid_at < :to or (
      select bool_or(other.first_paid_at < :to) from subscriptions other
      where coalesce(other.email_normalised, other.erased_payer::text, other.stripe_customer_id)
          = coalesce(s.email_normalised, s.erased_payer::text, s.stripe_customer_id)
        and other.status not in ('incomplete', 'incomplete_expired')
    )) and not exists (
      select from subscriptions other
      where coalesce(other.email_normalised, other.erased_payer::text, other.stripe_customer_id)
          = coalesce(s.email_normalised, s.erased_payer::text, s.stripe_customer_id)
        and other.status not in ('incomplete', 'incomplete_expired')
        and coalesce(other.started_at, other.created_at) < :to
        and (coalesce(other.ended_at, 'infinity'), other.id) > (s.ended_at, s.id))`,
  'trials-ended': `select s.*, s.first_paid_at as at, s.monthly_pence as pence from subscriptions s
    where s.trial_ends_at < :now and s.trial_ends_at >= :from and s.trial_ends_at < :to`,
  'trials-cancelled': `select s.*, s.canceled_at as at, s.monthly_pence as pence from subscriptions s
    where s.canceled_at <= s.trial_ends_at and s.canceled_at >= :from and s.canceled_at < :to`,
  // Stripe counts only its own attempts: the link to pay adds none.
  'cards-recovered': `select s.*, i.paid_at as at, i.paid_pence as pence, i.id as entry from stripe_invoices i
    left join subscriptions s using (stripe_subscription_id)
    where i.paid_pence > 0 and (i.attempts > 1 or i.first_failed_at is not null)
      and i.paid_at >= :from and i.paid_at < :to and i.currency = 'gbp'`,
  'cards-lost': `select s.*, s.ended_at as at, coalesce(i.remaining_pence, i.total_pence - i.paid_pence) as pence
    from subscriptions s join stripe_invoices i on i.id = s.latest_invoice_id
    where s.ended_at >= :from and s.ended_at < :to and i.attempts > 0 and i.status <> 'paid'
      and coalesce(i.remaining_pence, i.total_pence - i.paid_pence) > 0 and i.currency = 'gbp'`,
  'cards-waiting': `select s.*, s.next_payment_attempt_at as at,
      coalesce(i.remaining_pence, i.total_pence - i.paid_pence) as pence
    from subscriptions s join stripe_invoices i on i.id = s.latest_invoice_id
    where s.status in ('past_due', 'unpaid') and i.attempts > 0 and i.status <> 'paid'
      and coalesce(i.remaining_pence, i.total_pence - i.paid_pence) > 0 and i.currency = 'gbp'`,
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
    // An index has the dates of a status.
    `select s.*, s.${STAGE_DATES[stage]} as at, s.amount_pence as pence from subscriptions s
     where s.stage = '${stage}'${stage === 'paying' ? " and s.status = 'active'" : ''}`,
  ]),
) as Record<SubscriptionStage, string>;

export const PEOPLE: Record<MoneyPeople, string> = { ...FIGURES, ...STAGES };

/** The rows of a figure or a stage. `entry` tells apart rows of the same subscription. */
export const rowsOf = (of: MoneyPeople, { plan, price }: MoneyPrice = {}) => {
  const rows = PEOPLE[of];
  const isOfPrice = [
    plan && 's.plan = :plan',
    price !== undefined && 's.price_pence = :price',
  ].filter(Boolean);
  return {
    from: `(select * ${rows.includes('entry') ? '' : ", '' as entry"} from (${rows}) s) s`,
    where: ['true', ...isOfPrice].join(' and '),
    bindings: { ...(plan && { plan }), ...(price !== undefined && { price }) },
  };
};

const isStage = (of: MoneyPeople): of is SubscriptionStage => Object.hasOwn(STAGE_DATES, of);

/** What lies ahead is read from the next on, what has happened from the latest back. */
export const isAhead = (of: MoneyPeople) =>
  isStage(of) ? DATES[STAGE_DATES[of]] : MONEY_FIGURES[of].span === 'ahead';
