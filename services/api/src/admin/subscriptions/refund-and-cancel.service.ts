import type { CallSent } from '@site/schema/calls/calls';
import type { CancelBody, RefundBody } from '@site/schema/calls/subscriptions';
import { ProblemError } from '../../http/problem.ts';
import { toRequestKey } from '../../acts/act.ts';
import type { Asked } from '../../acts/act.ts';
import type { StripeDeps } from '../../billing/storing/payer-lead.service.ts';
import { changeEnd } from './cancel.service.ts';
import { refund } from './refund.service.ts';
import type { Payment } from './refund.service.ts';

/**
 * Refunds a payment, and then cancels its subscription if the operator asked for both. A failed
 * cancellation leaves the refund: the same key again refunds nothing more and cancels. Throws as
 * `refund` does.
 */
export async function refundAndCancel(
  deps: StripeDeps,
  asked: Asked,
  payment: Payment,
  body: RefundBody,
): Promise<CallSent<'POST /api/admin/subscriptions/:id/refund'>> {
  const made = await refund(deps, asked, payment, body);
  if (body.cancel === undefined) return { refund: made };
  const cancellation = await cancelAfter(deps, asked, payment.stripeSubscriptionId, body.cancel);
  return { refund: made, cancellation };
}

async function cancelAfter(
  deps: StripeDeps,
  { operator, key = '' }: Asked,
  stripeSubscriptionId: string,
  when: CancelBody['when'],
): Promise<'done' | 'failed'> {
  const own = { operator, key: toRequestKey(operator, key, 'cancel after the refund') };
  try {
    await changeEnd(deps, own, stripeSubscriptionId, when);
    return 'done';
  } catch (err) {
    // Only an ended subscription loses its payer, to an erasure.
    if (err instanceof ProblemError && ['subscription-over', 'not-found'].includes(err.kind))
      return 'done';
    deps.log.warn({ err, stripeSubscriptionId }, 'refunded, but not cancelled');
    return 'failed';
  }
}
