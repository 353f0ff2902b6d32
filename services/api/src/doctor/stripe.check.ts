import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { compareClocks, error, ok, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { readStripeFaults } from '@site/platform/health/money-health';
import type { StripeFault } from '@site/platform/health/money-health';
import type { OfferPhase } from '@site/schema/offer';
import type Stripe from 'stripe';
import type { ApiSettings } from '../settings.ts';
import { readPortal } from '../stripe/portal-set-up.ts';
import { planSetUp } from '../stripe/set-up.ts';
import { failureOf, isStripeError, readMissingPermission } from '../stripe/stripe-failure.ts';
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
  // The other checks read the same objects.
  if (permissions.level === 'error') return [permissions];
  const ours = new Date((askedAt + clock.now().getTime()) / 2);
  return [
    ok('Stripe', 'answers, and accepts the key'),
    permissions,
    ...(await examineCatalog(stripe, settings.site.offerPhase)),
    await examinePortal(stripe, settings.site.portalLoginUrl),
    await examineWebhook(stripe, settings.publicUrl),
    // Another finding names a Postgres that does not answer.
    ...(await examineDeliveries(db).catch(() => [])),
    compareClocks(date, ours),
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

/**
 * Reads one object of each kind. Only writing shows whether the key may write, and Stripe's answer
 * names the permission then.
 */
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
    // Every other difference changes the charge.
    const find = isShown ? warning : error;
    return find('Stripe catalogue', `differs from the offer: ${description}`, SET_UP);
  });
}

/** Checks that "Manage subscription" opens the portal that `stripe:setup` keeps. */
async function examinePortal(stripe: Stripe, loginUrl: string | null): Promise<Finding> {
  const portal = (await readPortal(stripe))?.login_page.url ?? null;
  const isLinked = loginUrl !== null && (portal === null || portal === loginUrl);
  if (isLinked) return ok('Customer portal', 'is linked as “Manage subscription”');
  return warning(
    'Customer portal',
    loginUrl === null ? 'is not linked' : 'STRIPE_PORTAL_LOGIN_URL is another portal',
    portal === null ? SET_UP : `Set STRIPE_PORTAL_LOGIN_URL=${portal}`,
  );
}

function explain(fault: unknown, apiUrl: string): Finding {
  if (!isStripeError(fault)) throw fault;
  if (fault.statusCode === 401)
    return error('Stripe', 'refuses the key', 'Set STRIPE_SECRET_KEY to a key of this account.');
  const message =
    fault.statusCode === undefined
      ? `cannot be reached at ${apiUrl}`
      : `answered ${fault.statusCode}`;
  return error('Stripe', message, 'Look at status.stripe.com, and check the network here.');
}

/** Checks that events arrive. A wrong secret shows nowhere else: Stripe only sees our refusals. */
async function examineDeliveries(db: Database): Promise<Finding[]> {
  const faults = await readStripeFaults(db);
  const countOf = (name: StripeFault) => faults.find(({ fault }) => fault === name)?.count ?? 0;
  const refused = countOf('stripe-signatures-refused');
  const undelivered = countOf('stripe-events-undelivered');
  const message = `${refused} events had a wrong signature, ${undelivered} were not delivered`;
  const remedy =
    'Compare STRIPE_WEBHOOK_SECRET with the endpoint’s secret, and look at its deliveries in Stripe’s dashboard. Then run: npm run stripe:replay';
  return refused + undelivered === 0
    ? [ok('Stripe deliveries', 'none has failed')]
    : [error('Stripe deliveries', message, remedy)];
}
