import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { error, ok, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { readLastEventAt, readMoneyFaults } from '@site/platform/health/money-health';
import type Stripe from 'stripe';
import { isStripeError } from '../stripe/stripe-failure.ts';
import { listMissedEvents } from '../webhook/missed-events.ts';

const CHECK = 'Stripe deliveries';
const REMEDY =
  'Compare STRIPE_WEBHOOK_SECRET with the endpoint’s secret, and look at its deliveries in Stripe’s dashboard. Then run: npm run stripe:replay';

/** Checks that the events of the last day arrived. A wrong secret shows nowhere else: Stripe only sees our refusals. */
export async function examineDeliveries(stripe: Stripe, db: Database, clock: Clock): Promise<Finding> {
  try {
    const missed = await listMissedEvents({ db, stripe }, clock.now());
    const faults = await readMoneyFaults(db);
    const fetched = faults.find(({ fault }) => fault === 'stripe-events-undelivered')?.count ?? 0;
    const refused = faults.find(({ fault }) => fault === 'stripe-signatures-refused')?.count ?? 0;
    if (refused > 0) return error(CHECK, `${refused} events were refused: their signature is wrong`, REMEDY);
    const count = missed.length + fetched;
    if (count > 0) return error(CHECK, `${count} events of Stripe were not delivered`, REMEDY);
    const last = await readLastEventAt(db);
    if (last === null) return ok(CHECK, 'no event yet');
    return ok(CHECK, `last event ${describeAge(clock.now().getTime() - last.getTime())} ago`);
  } catch (fault) {
    const why = isStripeError(fault) ? `Stripe answered ${fault.statusCode ?? 'nothing'}` : 'Postgres does not answer';
    return warning(
      CHECK,
      `could not be checked: ${why}`,
      'The key needs read access to Events, and Postgres must run.',
    );
  }
}

function describeAge(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}
