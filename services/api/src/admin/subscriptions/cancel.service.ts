import type { CallSent } from '@site/schema/calls/calls';
import type { CancelBody } from '@site/schema/calls/subscriptions';
import type Stripe from 'stripe';
import { problem } from '../../http/problem.ts';
import { orMissing } from '../../stripe/stripe-failure.ts';
import { readSubscription } from '../../stripe/subscription-reading.ts';
import { findOwner } from '../../corrections/correction.service.ts';
import { findEnd, readDatabaseClock } from '../../subscriptions/subscription.repository.ts';
import { applyReading } from '../../webhook/store-reading.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { askStripe } from './refund.service.ts';
import type { Asked } from '../../audit/run-once.ts';
import type { StripeDeps } from '../../payers/payer-lead.service.ts';
import { runOnce } from '../../audit/run-once.ts';

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
  await findOwner(db, stripeSubscriptionId);
  await runOnce(
    db,
    { ...asked, request: ['change the end', stripeSubscriptionId, end] },
    {
      async carryOut(isRepeat) {
        const { stage } = await readState(deps, stripeSubscriptionId);
        // The first attempt may have ended the subscription.
        if (end !== 'resume' && stage === 'ended' && isRepeat) return {};
        if (stage === 'ended') throw problem('subscription-over');
        await askStripe(log, () => changeAtStripe(stripe, stripeSubscriptionId, end));
        return {};
      },
      record: (trx) =>
        recordAction(trx, {
          operator: asked.operator,
          action: end === 'resume' ? 'resume-subscription' : 'cancel-subscription',
          subject: stripeSubscriptionId,
          detail: end === 'resume' ? {} : { when: end },
        }),
    },
  );
  const readAt = await readDatabaseClock(db);
  const subscription = await askStripe(log, () =>
    readSubscription(stripe, stripeSubscriptionId, readAt),
  );
  if (subscription !== 'foreign') await applyReading(deps, { kind: 'money', subscription });
  return readState(deps, stripeSubscriptionId);
}

async function changeAtStripe({ subscriptions }: Stripe, id: string, end: End): Promise<void> {
  if (end === 'period-end') await subscriptions.update(id, { cancel_at_period_end: true });
  // The subscription may already have ended at Stripe.
  if (end === 'now') await orMissing(subscriptions.cancel(id));
  if (end !== 'resume') return;
  const { status, cancel_at_period_end: isAtPeriodEnd } = await subscriptions.retrieve(id);
  if (status === 'canceled' || status === 'incomplete_expired') throw problem('subscription-over');
  // The dashboard may have set another end date.
  await subscriptions.update(
    id,
    isAtPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' },
  );
}

async function readState({ db }: StripeDeps, stripeSubscriptionId: string): Promise<State> {
  const row = await findEnd(db, stripeSubscriptionId);
  if (!row) throw problem('not-found');
  return { stripeSubscriptionId, ...row };
}
