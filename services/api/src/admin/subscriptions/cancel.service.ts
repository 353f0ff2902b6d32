import type { CallSent } from '@site/schema/calls/calls';
import type { CancelBody } from '@site/schema/calls/subscriptions';
import { problem } from '../../http/problem.ts';
import { orMissing } from '../../stripe/stripe-failure.ts';
import { readSubscription } from '../../stripe/subscription-reading.ts';
import { findAddresses } from '../../addresses/correction.service.ts';
import { readDatabaseClock } from '../../subscriptions/subscription.repository.ts';
import { applyMoney } from '../../webhook/store-reading.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { askStripe } from './refund.service.ts';
import type { Asked } from '../../audit/run-once.ts';
import type { StripeDeps } from './refund.service.ts';
import { runOnce } from '../../audit/run-once.ts';

type State = CallSent<'POST /api/admin/subscriptions/:id/cancel'>;

/**
 * Cancels a subscription at Stripe, now or at the end of the paid period, and stores it as the event will. It refunds
 * nothing. Throws 404, 409 if the subscription is over, 503.
 */
export async function cancel(
  deps: StripeDeps,
  asked: Asked,
  stripeSubscriptionId: string,
  when: CancelBody['when'],
): Promise<State> {
  return changeAtStripe(deps, asked, stripeSubscriptionId, {
    request: `cancel ${stripeSubscriptionId} ${when}`,
    action: 'cancel-subscription',
    detail: { when },
    async carryOut({ stage }, isRepeat) {
      // The first attempt may have ended it.
      if (stage === 'ended' && isRepeat) return;
      if (stage === 'ended') throw problem('subscription-over');
      // One that is over at Stripe already needs nothing.
      if (when === 'now') await orMissing(deps.stripe.subscriptions.cancel(stripeSubscriptionId));
      else
        await deps.stripe.subscriptions.update(stripeSubscriptionId, {
          cancel_at_period_end: true,
        });
    },
  });
}

/**
 * Undoes a cancellation that has not taken effect, including the customer's own. Throws as `cancel`
 * does.
 */
export async function resume(
  deps: StripeDeps,
  asked: Asked,
  stripeSubscriptionId: string,
): Promise<State> {
  const { subscriptions } = deps.stripe;
  return changeAtStripe(deps, asked, stripeSubscriptionId, {
    request: `resume ${stripeSubscriptionId}`,
    action: 'resume-subscription',
    detail: {},
    async carryOut() {
      const { status, cancel_at_period_end: isAtPeriodEnd } =
        await subscriptions.retrieve(stripeSubscriptionId);
      if (status === 'canceled' || status === 'incomplete_expired')
        throw problem('subscription-over');
      await subscriptions.update(
        stripeSubscriptionId,
        // A date of its own may have been set in the dashboard.
        isAtPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' },
      );
    },
  });
}

type Change = {
  request: string;
  action: 'cancel-subscription' | 'resume-subscription';
  detail: Record<string, unknown>;
  carryOut: (state: State, isRepeat: boolean) => Promise<void>;
};

/** Makes a change at Stripe once, records it, and stores the subscription as the event will. Returns its state. */
async function changeAtStripe(
  deps: StripeDeps,
  asked: Asked,
  stripeSubscriptionId: string,
  { request, action, detail, carryOut }: Change,
): Promise<State> {
  const { db, stripe, log } = deps;
  await findAddresses(db, stripeSubscriptionId);
  await runOnce(
    db,
    { ...asked, request },
    {
      async carryOut(isRepeat) {
        const state = await readState(deps, stripeSubscriptionId);
        await askStripe(log, () => carryOut(state, isRepeat));
        return detail;
      },
      record: (trx, done) =>
        recordAction(trx, {
          operator: asked.operator,
          action,
          subject: stripeSubscriptionId,
          detail: done,
        }),
    },
  );
  const readAt = await readDatabaseClock(db);
  const subscription = await askStripe(log, () =>
    readSubscription(stripe, stripeSubscriptionId, readAt),
  );
  if (subscription !== 'foreign') await applyMoney(deps, { subscription });
  return readState(deps, stripeSubscriptionId);
}

async function readState({ db }: StripeDeps, stripeSubscriptionId: string): Promise<State> {
  const row = await db('subscriptions')
    .where({ stripeSubscriptionId })
    .first('stage', 'status', 'cancelAt', 'endedAt');
  if (!row) throw problem('not-found');
  return { stripeSubscriptionId, ...row };
}
