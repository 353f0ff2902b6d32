import { SUBSCRIPTION_STAGES } from '@site/schema/money';
import type { SubscriptionStage } from '@site/schema/money';
import { toMoved } from '../../subscriptions/payment.repository.ts';
import type { MovedKind } from '../../subscriptions/payment.repository.ts';
import {
  IS_PAUSED,
  IS_RECURRING,
  MONTHLY,
  midnight,
  RECURRING,
} from '../../subscriptions/recurring.ts';
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
export const bind = ({ now, startDate, endDate }: Moment) => ({
  now,
  startDate: startDate ?? null,
  endDate: endDate ?? null,
});

/** The period, from the start of its first London day to the start of the day after its last. */
const FROM = `coalesce(${midnight(':startDate::date')}, '-infinity')`;
const TO = `coalesce(${midnight(':endDate::date + 1')}, 'infinity')`;
export const within = (at: string) => `${at} >= ${FROM} and ${at} < ${TO}`;
export const IS_OVER = `(${TO} <= :now)`;

export const MOVED = toMoved(within);
/** Every payment has a subscription. So that those who are only counted are not looked up, it is joined as if some had none. */
const moved = (kind: MovedKind) =>
  `select s.*, moved.at, moved.pence, moved.entry from ${toMoved(within, kind)}
   left join subscriptions s using (stripe_subscription_id) where is_in_pounds`;

const IS_CHARGED = 's.amount_pence > 0 and not s.is_collection_paused';
/** Charges from now to the period's end, unless they are cancelled before. */
const due = (status: string, at: string) =>
  `select s.*, s.${at} as at, s.amount_pence as pence from subscriptions s
   where s.status = '${status}' and s.${at} >= :now and ${within(`s.${at}`)} and ${IS_CHARGED}
     and (s.cancel_at is null or s.cancel_at > s.${at})`;

/** One payer, however many subscriptions they have had. */
const payerOf = (s: string) =>
  `coalesce(${s}.email_normalised, ${s}.erased_payer::text, ${s}.stripe_customer_id)`;
const IS_OTHER = `${payerOf('other')} = ${payerOf('s')} and other.status not in ('incomplete', 'incomplete_expired')`;

/** What is left to pay of an invoice `i`, and whether its card failed. */
export const UNPAID = 'coalesce(i.remaining_pence, i.total_pence - i.paid_pence)';
export const FAILED = `i.attempts > 0 and i.status <> 'paid' and ${UNPAID} > 0`;
const LATEST = 'subscriptions s join stripe_invoices i on i.id = s.latest_invoice_id';

const FIGURES: Record<MoneyFigure, string> = {
  payments: moved('payment'),
  refunded: moved('refund'),
  lost: moved('lost'),
  'renewals-due': due('active', 'period_ends_at'),
  'trials-due': due('trialing', 'trial_ends_at'),
  mrr: `select s.*, s.first_paid_at as at, ${MONTHLY} as pence from subscriptions s where ${IS_RECURRING}`,
  paused: `select s.*, s.first_paid_at as at, ${MONTHLY} as pence from subscriptions s where ${IS_PAUSED}`,
  'new-payers': `select s.*, s.first_paid_at as at, ${MONTHLY} as pence from subscriptions s
    where ${within('s.first_paid_at')} and not exists (
      select from subscriptions other where ${IS_OTHER} and (other.first_paid_at, other.id) < (s.first_paid_at, s.id))`,
  // Unless they had another subscription by then.
  cancelled: `select s.*, s.ended_at as at, ${MONTHLY} as pence from subscriptions s
    where ${within('s.ended_at')} and (s.first_paid_at < ${TO} or (
      select bool_or(other.first_paid_at < ${TO}) from subscriptions other where ${IS_OTHER}
    )) and not exists (
      select from subscriptions other where ${IS_OTHER} and coalesce(other.started_at, other.created_at) < ${TO}
        and (coalesce(other.ended_at, 'infinity'), other.id) > (s.ended_at, s.id))`,
  'trials-ended': `select s.*, s.first_paid_at as at, ${MONTHLY} as pence from subscriptions s
    where s.trial_ends_at < :now and ${within('s.trial_ends_at')}`,
  'trials-cancelled': `select s.*, s.canceled_at as at, ${MONTHLY} as pence from subscriptions s
    where s.canceled_at <= s.trial_ends_at and ${within('s.canceled_at')}`,
  // Stripe counts only its own attempts: the link to pay adds none.
  'cards-recovered': `select s.*, i.paid_at as at, i.paid_pence as pence, i.id as entry from stripe_invoices i
    left join subscriptions s using (stripe_subscription_id)
    where i.paid_pence > 0 and (i.attempts > 1 or i.first_failed_at is not null) and ${within('i.paid_at')} and i.currency = 'gbp'`,
  'cards-lost': `select s.*, s.ended_at as at, ${UNPAID} as pence from ${LATEST}
    where ${within('s.ended_at')} and ${FAILED} and i.currency = 'gbp'`,
  'cards-waiting': `select s.*, s.next_payment_attempt_at as at, ${UNPAID} as pence from ${LATEST}
    where s.status in ('past_due', 'unpaid') and ${FAILED} and i.currency = 'gbp'`,
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
    price !== undefined && `${RECURRING} = :price`,
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
