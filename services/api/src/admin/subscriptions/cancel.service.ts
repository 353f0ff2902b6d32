import type { Database } from '@site/platform/database/connect';
import type { CallSent } from '@site/schema/calls/calls';
import type { CancelBody } from '@site/schema/calls/subscriptions';
import type Stripe from 'stripe';
import { problem } from '../../http/problem.ts';
import { orMissing } from '../../stripe/stripe-failure.ts';
import { readSubscription } from '../../billing/reading/subscription-reading.ts';
import {
  findEnd,
  lockOwner,
  readDatabaseClock,
} from '../../billing/storing/subscription.repository.ts';
import { toReading } from '../../billing/reading/stripe-reading.ts';
import { storeReading } from '../../billing/storing/store-reading.ts';
import { askStripeForOperator, lockOwned } from './refund.service.ts';
import { askOnce, carryOut, recordCancellation, storeResult } from '../../acts/act.ts';
import type { Asked } from '../../acts/act.ts';
import type { StripeDeps } from '../../billing/storing/payer-lead.service.ts';

type State = CallSent<'POST /api/admin/subscriptions/:id/cancel'>;

/** `resume` undoes a cancellation that has not taken effect, including the customer's own. */
export type End = CancelBody['when'] | 'resume';

/**
 * Cancels a subscription at Stripe, now or at the end of the paid period, or undoes the
 * cancellation, once for a key. Stores the change as its event will, and returns the state. Refunds
 * nothing. Throws 404, 409 if the subscription has ended, and 503.
 */
export async function changeEnd(
  deps: StripeDeps,
  asked: Asked,
  stripeSubscriptionId: string,
  end: End,
): Promise<State> {
  const { db, stripe, log } = deps;
  await carryOut(deps, {
    ...asked,
    request: ['change the end', stripeSubscriptionId, end],
    action: end === 'resume' ? 'resume-subscription' : 'cancel-subscription',
    detail: end === 'resume' ? {} : { when: end },
    async lock(trx) {
      const owned = await lockOwned(trx, stripeSubscriptionId);
      const { stage } = await readState(trx, stripeSubscriptionId);
      return { ...owned, isOver: stage === 'ended' };
    },
    check({ isOver }, isRepeat) {
      // The first attempt may have ended the subscription.
      if (isOver && (end === 'resume' || !isRepeat)) throw problem('subscription-over');
    },
    async ask({ requestKey, isRecorded, found }) {
      if (!isRecorded && !found.isOver)
        await askStripeForOperator(log, () =>
          changeAtStripe(stripe, stripeSubscriptionId, end, requestKey),
        );
      return {};
    },
    async store(trx, done, { requestKey, found }) {
      await lockOwner(trx, stripeSubscriptionId);
      await storeResult(trx, requestKey, done);
      if (!found.isOver) return {};
      // Another request may have ended it.
      await recordCancellation(trx, stripeSubscriptionId);
      return null;
    },
  });
  const readAt = await readDatabaseClock(db);
  const subscription = await askStripeForOperator(log, () =>
    readSubscription(stripe, stripeSubscriptionId, readAt),
  );
  await storeReading(deps, [toReading(subscription, stripeSubscriptionId, readAt)]);
  return readState(db, stripeSubscriptionId);
}

async function changeAtStripe(
  { subscriptions }: Stripe,
  id: string,
  end: End,
  requestKey: string,
): Promise<void> {
  const before = end === 'resume' ? await subscriptions.retrieve(id) : null;
  if (before?.status === 'canceled' || before?.status === 'incomplete_expired')
    throw problem('subscription-over');
  const change = async (options: Stripe.RequestOptions): Promise<object> => {
    // The subscription may already have ended at Stripe.
    if (end === 'now') return { ended: await orMissing(subscriptions.cancel(id, {}, options)) };
    if (end === 'period-end')
      return subscriptions.update(id, { cancel_at_period_end: true }, options);
    // The dashboard may have set another end date.
    const without = before?.cancel_at_period_end
      ? { cancel_at_period_end: false }
      : { cancel_at: '' as const };
    return subscriptions.update(id, without, options);
  };
  await askOnce(requestKey, change, async () => {
    const now = await subscriptions.retrieve(id);
    const isDone = {
      now: now.status === 'canceled',
      'period-end': now.cancel_at_period_end,
      resume: !now.cancel_at_period_end && now.cancel_at === null,
    };
    return isDone[end] ? now : null;
  });
}

async function readState(db: Database, stripeSubscriptionId: string): Promise<State> {
  const row = await findEnd(db, stripeSubscriptionId);
  if (!row) throw problem('not-found');
  return { stripeSubscriptionId, ...row };
}
