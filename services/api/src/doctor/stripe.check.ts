import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { compareDateHeader, error, ok, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { readLastEventAt, readMoneyFaults } from '@site/platform/health/money-health';
import type { OfferPhase } from '@site/schema/offer';
import type Stripe from 'stripe';
import type { ApiSettings } from '../settings.ts';
import { readPortal } from '../stripe/portal-set-up.ts';
import { planSetUp } from '../stripe/set-up.ts';
import { failureOf, isStripeError, readMissingPermission } from '../stripe/stripe-failure.ts';
import { listMissedEvents } from '../webhook/missed-events.ts';
import { examineWebhook } from './stripe-webhook.check.ts';

const SET_UP = 'Run: npm run stripe:setup (add -- --dry-run to see first what it would change).';

/**
 * Checks that Stripe accepts the key, that the clocks agree, that the catalogue matches the offer, and that the
 * webhook is set up.
 */
export async function examineStripe(
  stripe: Stripe,
  settings: Pick<ApiSettings, 'publicUrl' | 'stripe'> & {
    site: Pick<ApiSettings['site'], 'offerPhase' | 'portalLoginUrl'>;
  },
  clock: Clock,
  db: Database,
): Promise<Finding[]> {
  const askedAt = clock.now().getTime();
  let date: string | undefined;
  try {
    date = (await stripe.prices.list({ limit: 1 })).lastResponse.headers['date'];
  } catch (fault) {
    if (failureOf(fault) !== 'forbidden')
      return [explain(fault, settings.stripe.apiUrl ?? 'https://api.stripe.com')];
  }
  const permissions = await examinePermissions(stripe);
  // The other checks read the same.
  if (permissions.level === 'error') return [permissions];
  const ours = new Date((askedAt + clock.now().getTime()) / 2);
  return [
    ok('Stripe', 'answers, and accepts the key'),
    permissions,
    ...(await examineCatalog(stripe, settings.site.offerPhase)),
    await examinePortal(stripe, settings.site.portalLoginUrl),
    ...(await examineWebhook(stripe, settings.publicUrl)),
    await examineDeliveries(stripe, db, clock),
    ...compareDateHeader('Stripe', date, ours),
  ];
}

/** One object of each kind that is read, by the kind's name in the dashboard. */
const KINDS: Record<string, (stripe: Stripe) => Promise<unknown>> = {
  Customers: (stripe) => stripe.customers.list(ONE),
  Subscriptions: (stripe) => stripe.subscriptions.list(ONE),
  'Checkout Sessions': (stripe) => stripe.checkout.sessions.list(ONE),
  Invoices: (stripe) => stripe.invoices.list(ONE),
  'Invoice Payments': (stripe) => stripe.invoicePayments.list(ONE),
  Charges: (stripe) => stripe.charges.list(ONE),
  Refunds: (stripe) => stripe.refunds.list(ONE),
  'Credit Notes': (stripe) => stripe.creditNotes.list(ONE),
  Disputes: (stripe) => stripe.disputes.list(ONE),
  Events: (stripe) => stripe.events.list(ONE),
  Products: (stripe) => stripe.products.list(ONE),
  Prices: (stripe) => stripe.prices.list(ONE),
  Coupons: (stripe) => stripe.coupons.list(ONE),
  'Customer Portal': (stripe) => stripe.billingPortal.configurations.list(ONE),
};
const ONE = { limit: 1 };

/** Reads one object of each kind. Only doing tells whether a key may write, and Stripe's answer names the permission then. */
async function examinePermissions(stripe: Stripe): Promise<Finding> {
  const missing: string[] = [];
  for (const [kind, read] of Object.entries(KINDS)) {
    try {
      await read(stripe);
    } catch (fault) {
      const permission = readMissingPermission(fault);
      if (permission === null) throw fault;
      missing.push(`${kind} (${permission})`);
    }
  }
  if (missing.length === 0) return ok('Stripe permissions', 'the key may read each kind of object');
  const remedy =
    'Add them to the restricted key in Stripe’s dashboard; docs/stripe-setup.md lists all that it needs.';
  return error('Stripe permissions', `the key may not read ${missing.join(', ')}`, remedy);
}

async function examineCatalog(stripe: Stripe, phase: OfferPhase): Promise<Finding[]> {
  const changes = await planSetUp(stripe, phase);
  if (changes.length === 0)
    return [ok('Stripe catalogue', 'product, prices, coupons and portal are as offered')];
  return changes.map(({ description, isShown }) => {
    // Everything else decides what is charged.
    const find = isShown ? warning : error;
    return find('Stripe catalogue', `differs from the offer: ${description}`, SET_UP);
  });
}

/** Checks that "Manage subscription" leads to the portal that `stripe:setup` keeps. */
async function examinePortal(stripe: Stripe, loginUrl: string | null): Promise<Finding> {
  const portal = (await readPortal(stripe))?.login_page.url ?? null;
  if (loginUrl === null) {
    const remedy = portal === null ? SET_UP : `Set STRIPE_PORTAL_LOGIN_URL=${portal}`;
    return warning(
      'Customer portal',
      'is not linked: a subscriber has to write an email to leave',
      remedy,
    );
  }
  if (portal !== null && portal !== loginUrl) {
    const told = 'STRIPE_PORTAL_LOGIN_URL is not the portal that stripe:setup keeps';
    return warning(
      'Customer portal',
      told,
      `Set STRIPE_PORTAL_LOGIN_URL=${portal}, unless the other is intended.`,
    );
  }
  return ok('Customer portal', 'is linked as “Manage subscription”');
}

function explain(fault: unknown, apiUrl: string): Finding {
  if (!isStripeError(fault)) throw fault;
  if (fault.statusCode === undefined) {
    return error(
      'Stripe',
      `cannot be reached at ${apiUrl}`,
      'Check the network here, and STRIPE_API_URL where it is set.',
    );
  }
  if (fault.statusCode === 401) {
    return error(
      'Stripe',
      'refuses the key',
      'Set STRIPE_SECRET_KEY to a key of this account that may read prices.',
    );
  }
  return error(
    'Stripe',
    `answered ${fault.statusCode}`,
    'Look at status.stripe.com, and run this again.',
  );
}

const DELIVERIES = 'Stripe deliveries';
const UNDELIVERED =
  'Compare STRIPE_WEBHOOK_SECRET with the endpoint’s secret, and look at its deliveries in Stripe’s dashboard. Then run: npm run stripe:replay';

/** Checks that the events of the last day arrived. A wrong secret shows nowhere else: Stripe only sees our refusals. */
export async function examineDeliveries(
  stripe: Stripe,
  db: Database,
  clock: Clock,
): Promise<Finding> {
  try {
    const missed = await listMissedEvents({ db, stripe }, clock.now());
    const faults = await readMoneyFaults(db);
    const fetched = faults.find(({ fault }) => fault === 'stripe-events-undelivered')?.count ?? 0;
    const refused = faults.find(({ fault }) => fault === 'stripe-signatures-refused')?.count ?? 0;
    if (refused > 0)
      return error(
        DELIVERIES,
        `${refused} events were refused: their signature is wrong`,
        UNDELIVERED,
      );
    const count = missed.length + fetched;
    if (count > 0)
      return error(DELIVERIES, `${count} events of Stripe were not delivered`, UNDELIVERED);
    const last = await readLastEventAt(db);
    if (last === null) return ok(DELIVERIES, 'no event yet');
    return ok(DELIVERIES, `last event ${describeAge(clock.now().getTime() - last.getTime())} ago`);
  } catch (fault) {
    const why = isStripeError(fault)
      ? `Stripe answered ${fault.statusCode ?? 'nothing'}`
      : 'Postgres does not answer';
    return warning(
      DELIVERIES,
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
