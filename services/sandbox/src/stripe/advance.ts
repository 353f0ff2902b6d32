import type { MovableClock } from '../clock.ts';
import { epochSeconds } from '../clock.ts';
import type { Moment } from './billing/due.ts';
import { dueInBilling } from './billing/due.ts';
import { dueCheckouts } from './checkout/checkout-session.service.ts';
import type { CheckoutDeps } from './checkout/checkout-session.ts';

export type AdvanceDeps = CheckoutDeps & { clock: MovableClock };

/**
 * Moves the account's clock to `target` (seconds since 1970) and runs everything due on the way:
 * sessions expire, trials end, periods renew, failed charges are retried. Each happens in order and
 * at its own time.
 */
export function advanceTo(deps: AdvanceDeps, target: number): void {
  for (let next = earliest(deps, target); next; next = earliest(deps, target)) {
    if (next.at > epochSeconds(deps.clock)) deps.clock.setNow(next.at);
    next.act();
    deps.touched();
  }
  if (target <= epochSeconds(deps.clock)) return;
  deps.clock.setNow(target);
  deps.touched();
}

/** Runs everything that is due by now. */
export function runDue(deps: AdvanceDeps): void {
  advanceTo(deps, epochSeconds(deps.clock));
}

function earliest(deps: AdvanceDeps, until: number): Moment | null {
  return [...dueCheckouts(deps), ...dueInBilling(deps)].reduce<Moment | null>(
    (first, moment) => (moment.at <= until && moment.at < (first?.at ?? Infinity) ? moment : first),
    null,
  );
}
