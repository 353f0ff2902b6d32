import type { SyncAttemptRow } from '@site/platform/database/tables';
import { SUBSCRIBER_STATUSES } from '@site/schema/beehiiv-answers';
import type { ShownLeadRow } from './lead-answer.ts';
import type { Done } from './lead-history.repository.ts';
import { MAX_ENTRIES } from './lead-money.repository.ts';
import type { HeldCheckout, HeldSubscription } from './lead-money.repository.ts';

/** Beehiiv's last answer about an email. */
export type Subscriber = { status: string; statusSince: Date | null; learnedAt: Date };

/** The answer's facts about a lead's person, and the events that others caused. */
type Held = {
  lead: ShownLeadRow;
  leads: ShownLeadRow[];
  attempts: SyncAttemptRow[];
  checkouts: HeldCheckout[];
  subscriptions: HeldSubscription[];
  subscriber: Subscriber | undefined;
  done: Done[];
};

const NOTHING = { subject: null, amountPence: null, currency: null, operator: null, until: null };

/**
 * Builds the history of a lead's person: the latest entries, oldest first. Simultaneous entries
 * keep the order of addition. The lead's own attempts are listed elsewhere.
 */
export function toHistory({ lead, subscriptions, subscriber, ...held }: Held) {
  const entries: Done[] = [];
  const add = (
    kind: Done['kind'],
    at: Date | string | null | undefined,
    detail: string,
    more: Partial<Done>,
  ) => at && entries.push({ kind, at: new Date(at), detail, ...more });

  for (const { id, submittedAt, formType } of held.leads)
    if (id !== lead.id) add('form', submittedAt, formType, { subject: id });
  for (const { id: subject, state, hindrance, isPaymentLink, startedAt } of held.checkouts) {
    const isComplete = state === 'complete';
    const isBegun = isComplete || state === 'open';
    // The action that made a payment link already lists it.
    if (!isPaymentLink)
      add('checkout', startedAt, isBegun ? 'opened' : (hindrance ?? state), { subject });
    if (isComplete) add('checkout', firstSince(startedAt, subscriptions), state, { subject });
  }
  for (const { stripeSubscriptionId: subject, startedAt, plan, ...paid } of subscriptions) {
    add('subscribed', startedAt, plan, { subject, amountPence: paid.amountPence, currency: 'gbp' });
    for (const { id, status, attempts, ...invoice } of paid.invoices)
      add(
        'invoice',
        invoice.paidAt ?? invoice.issuedAt,
        status === 'open' && attempts > 0 ? 'failed' : status,
        {
          subject: id,
          amountPence: status === 'paid' ? invoice.paidPence : invoice.totalPence,
          currency: invoice.currency,
        },
      );
  }
  entries.push(...held.done);
  if (subscriber && !isAnswer(subscriber, held.attempts))
    add('status', subscriber.statusSince, subscriber.status, {});
  for (const { stripeSubscriptionId: subject, plan, overAt } of subscriptions)
    add('ended', overAt, plan, { subject });

  return entries
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .slice(-MAX_ENTRIES)
    .map((entry) => ({ ...NOTHING, ...entry }));
}

/**
 * Returns the subscription that a completed checkout started: the oldest since then. The list has
 * the newest first.
 */
const firstSince = (opened: Date | string, subscriptions: HeldSubscription[]) =>
  subscriptions.findLast(
    ({ startedAt }) => startedAt !== null && new Date(startedAt) >= new Date(opened),
  )?.startedAt;

/** An answer is stored within this time after its attempt began. */
const STORED_WITHIN_MS = 30_000;

/** Returns true if the lead's attempts already list this status as an answer. */
const isAnswer = ({ status, statusSince }: Subscriber, attempts: SyncAttemptRow[]) =>
  attempts.some(({ message, startedAt }) => {
    const laterMs = Number(statusSince) - startedAt.getTime();
    return (
      message === SUBSCRIBER_STATUSES[status]?.accepted &&
      laterMs >= 0 &&
      laterMs < STORED_WITHIN_MS
    );
  });
