import type { Database } from '@site/platform/database/connect';
import type { CallSent } from '@site/schema/calls/calls';
import type { CancelBody } from '@site/schema/calls/subscriptions';
import { problem } from '../../http/problem.ts';
import { isMissingAtStripe } from '../../stripe/stripe-failure.ts';
import { readSubscription } from '../../stripe/subscription-reading.ts';
import { findAddresses } from '../../addresses/address-change.service.ts';
import { readDatabaseClock } from '../../subscriptions/subscription.repository.ts';
import { applyMoney } from '../../webhook/store-reading.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { askStripe } from './refund.service.ts';
import type { Asked } from '../../audit/run-once.ts';
import type { StripeDeps } from './refund.service.ts';
import { runOnce } from '../../audit/run-once.ts';

type Cancelled = CallSent<'POST /api/admin/subscriptions/:id/cancel'>;

/**
 * Cancels a subscription at Stripe, now or at the end of the paid period, and stores it as the event will. It refunds
 * nothing. Throws 404, 409 if the subscription is over, 503.
 */
export async function cancel(
  deps: StripeDeps,
  asked: Asked,
  stripeSubscriptionId: string,
  when: CancelBody['when'],
): Promise<Cancelled> {
  const { db, stripe, log } = deps;
  await findAddresses(db, stripeSubscriptionId);
  const carryOut = async (isRepeat: boolean) => {
    const { stage } = await readState(deps, stripeSubscriptionId);
    // The first attempt may have ended it.
    if (stage === 'ended' && isRepeat) return { when };
    if (stage === 'ended') throw problem('subscription-over');
    await askStripe(log, async () => {
      if (when === 'now') await endNow(deps, stripeSubscriptionId);
      else await stripe.subscriptions.update(stripeSubscriptionId, { cancel_at_period_end: true });
    });
    return { when };
  };
  const record = (trx: Database) =>
    recordAction(trx, {
      operator: asked.operator,
      action: 'cancel-subscription',
      subject: stripeSubscriptionId,
      detail: { when },
    });
  const request = `cancel ${stripeSubscriptionId} ${when}`;
  await runOnce(db, { ...asked, request }, { carryOut, record });
  const readAt = await readDatabaseClock(db);
  const subscription = await askStripe(log, () => readSubscription(stripe, stripeSubscriptionId, readAt));
  if (subscription !== 'foreign') await applyMoney(deps, { subscription });
  return readState(deps, stripeSubscriptionId);
}

/** Ends a subscription at Stripe. One that is over there already needs nothing. */
async function endNow({ stripe }: StripeDeps, id: string): Promise<void> {
  try {
    await stripe.subscriptions.cancel(id);
  } catch (error) {
    if (!isMissingAtStripe(error)) throw error;
  }
}

async function readState({ db }: StripeDeps, stripeSubscriptionId: string): Promise<Cancelled> {
  const row = await db('subscriptions').where({ stripeSubscriptionId }).first('stage', 'status', 'cancelAt', 'endedAt');
  if (!row) throw problem('not-found');
  return { stripeSubscriptionId, ...row };
}
