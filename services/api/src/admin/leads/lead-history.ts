import type { SyncAttemptRow } from '@site/platform/database/tables';
import { SUBSCRIBER_STATUSES } from '@site/schema/beehiiv-answers';
import type { ShownLeadRow } from './lead-answer.ts';
import type { Done } from './lead-history.repository.ts';
import { MAX_ENTRIES } from './lead-money.repository.ts';
import type { HeldCheckout, HeldSubscription } from './lead-money.repository.ts';

/** What Beehiiv says of an email. */
export type Subscriber = { status: string; statusSince: Date | null; learnedAt: Date };

/** What the answer holds about a lead's person, and what was done to them besides. */
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
 * Makes the history of a lead's person, the latest entries, oldest first. Entries of one moment
 * keep the order in which they are added. The lead's own attempts are listed elsewhere.
 */
export function toHistory({ lead, subscriptions, subscriber, ...held }: Held) {
  const entries: Done[] = [];
  const add = (
    kind: Done['kind'],
    at: Date | string | null | undefined,
    detail: string,
    more: Partial<Done>,
  ) => at && entries.push({ kind, at: new Date(at), detail, ...more });

  for (const { id, submittedAt, formType, correctedFrom } of held.leads)
    // A correction is listed as the action that made the copy.
    if (id !== lead.id && correctedFrom === null)
      add('form', submittedAt, formType, { subject: id });
  for (const { stripeCheckoutSessionId: subject, state, startedAt } of held.checkouts) {
    const isComplete = state === 'complete';
    add('checkout', startedAt, isComplete ? 'opened' : state, { subject });
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
 * Completing a checkout starts its subscription: the oldest since then. They are the newest first.
 */
const firstSince = (opened: Date | string, subscriptions: HeldSubscription[]) =>
  subscriptions.findLast(
    ({ startedAt }) => startedAt !== null && new Date(startedAt) >= new Date(opened),
  )?.startedAt;

/** An answer is stored this much later than its attempt began, at most. */
const STORED_WITHIN_MS = 30_000;

/** True if the status is what an attempt of the lead was answered, and listed as such. */
const isAnswer = ({ status, statusSince }: Subscriber, attempts: SyncAttemptRow[]) =>
  attempts.some(({ message, startedAt }) => {
    const laterMs = Number(statusSince) - startedAt.getTime();
    return (
      message === SUBSCRIBER_STATUSES[status]?.accepted &&
      laterMs >= 0 &&
      laterMs < STORED_WITHIN_MS
    );
  });
