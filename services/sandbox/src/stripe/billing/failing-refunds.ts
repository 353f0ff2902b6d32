import type { BillingDeps } from './billing.store.ts';
import type { Charge, Refund } from './payment.store.ts';
import { outcomeOf } from './test-cards.ts';

const FAILS_AFTER_SECONDS = 60 * 60;

/** Lists the refunds that will fail: the card's bank sends the money back. */
export function dueRefunds(deps: BillingDeps): { at: number; act: () => void }[] {
  return deps.store.refunds
    .snapshot()
    .filter(({ status }) => status === 'succeeded')
    .flatMap((refund) => {
      const charge = deps.store.charges.get(refund.charge);
      if (outcomeOf(charge.payment_method_details.card.last4) !== 'refund fails') return [];
      return [{ at: refund.created + FAILS_AFTER_SECONDS, act: () => fail(deps, refund, charge) }];
    });
}

function fail(deps: BillingDeps, refund: Refund, charge: Charge): void {
  refund.status = 'failed';
  refund.failure_reason = 'expired_or_canceled_card';
  charge.amount_refunded -= refund.amount;
  charge.refunded = false;
  deps.emit('refund.updated', refund);
  deps.emit('refund.failed', refund);
}
