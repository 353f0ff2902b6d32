import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { error, ok, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { findMoneyConditions } from '@site/platform/health/money-health';
import type { OfferPhase } from '@site/schema/offer';
import Stripe from 'stripe';
import type { ApiSettings } from '../settings.ts';
import { planSetUp } from '../stripe/set-up.ts';
import {
  toStripeErrorText,
  failureOf,
  isStripeError,
  readMissingPermission,
} from '../stripe/stripe-failure.ts';
import { STRIPE_EVENT_TYPES } from '../billing/reading/event-reading.ts';

const SET_UP =
  'Run stripe:setup (docs/install.md, Commands; add --dry-run to see first what it would change).';

/**
 * Checks that Stripe accepts the key, that the clocks agree, that the catalogue matches the offer,
 * and that the webhook is set up.
 */
export async function examineStripe(
  stripe: Stripe,
  settings: Pick<ApiSettings, 'publicUrl' | 'stripe'> & {
    site: Pick<ApiSettings['site'], 'offerPhase'>;
  },
  clock: Clock,
  db: Database,
): Promise<Finding[]> {
  const askedAt = clock.now().getTime();
  let date: string | undefined;
  try {
    date = (await stripe.prices.list({ limit: 1 })).lastResponse.headers['date'];
  } catch (failure) {
    if (failureOf(failure) !== 'forbidden')
      return [explain(failure, settings.stripe.apiUrl ?? 'https://api.stripe.com')];
  }
  const permissions = await examinePermissions(stripe);
  // The other checks read the same objects.
  if (permissions.level === 'error') return [permissions];
  const ours = new Date((askedAt + clock.now().getTime()) / 2);
  return [
    ok('Stripe', 'answers, and accepts the key'),
    permissions,
    ...(await examineCatalog(stripe, settings.site.offerPhase)),
    await examineWebhook(stripe, settings.publicUrl),
    // Another finding reports a Postgres that does not answer.
    ...(await examineDeliveries(db).catch(() => [])),
    compareClocks(date, ours),
  ];
}

/** A read of one object of each kind, by the kind's name in the dashboard. */
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
 * Reads one object of each kind. Only a write shows whether the key may write, and Stripe's answer
 * then names the permission.
 */
async function examinePermissions(stripe: Stripe): Promise<Finding> {
  const missing: string[] = [];
  for (const [kind, read] of Object.entries(KINDS)) {
    try {
      await read(stripe);
    } catch (failure) {
      const permission = readMissingPermission(failure);
      if (permission === null) throw failure;
      missing.push(`${kind} (${permission})`);
    }
  }
  if (missing.length === 0) return ok('Stripe permissions', 'the key may read each kind of object');
  const remedy =
    'Add them to the restricted key in Stripe’s dashboard; docs/stripe-setup.md lists all ' +
    'that it needs.';
  return error('Stripe permissions', `the key may not read ${missing.join(', ')}`, remedy);
}

async function examineCatalog(stripe: Stripe, phase: OfferPhase): Promise<Finding[]> {
  const changes = await planSetUp(stripe, phase);
  if (changes.length === 0)
    return [ok('Stripe catalogue', 'product, prices, coupons and portal are as offered')];
  return changes.map(({ description }) =>
    error('Stripe catalogue', `differs from the offer: ${description}`, SET_UP),
  );
}

/** Checks that Stripe has our webhook URL, and sends the events we use in our API version. */
export async function examineWebhook(stripe: Stripe, publicUrl: string): Promise<Finding> {
  const check = 'Stripe webhook';
  const url = `${publicUrl}/api/stripe/webhook`;
  const endpoints = await stripe.webhookEndpoints.list({ limit: 100 }).catch((failure: unknown) => {
    if (isStripeError(failure)) return null;
    throw failure;
  });
  if (endpoints === null)
    return warning(
      check,
      'cannot be read with this key',
      `See in Stripe's dashboard that events are sent to ${url}.`,
    );
  const endpoint = endpoints.data.find((each) => each.url.replace(/\/+$/, '') === url);
  const missing = STRIPE_EVENT_TYPES.filter(
    (type) => !endpoint?.enabled_events.some((event) => event === type || event === '*'),
  );
  const failures = endpoint
    ? [
        ...(endpoint.status === 'enabled' ? [] : [`is ${endpoint.status}`]),
        ...(missing.length === 0 ? [] : [`does not send ${missing.join(', ')}`]),
        ...(endpoint.api_version === Stripe.API_VERSION
          ? []
          : [`sends version ${endpoint.api_version ?? 'of the account'}`]),
      ]
    : ['does not exist'];
  if (failures.length === 0) return ok(check, `${url}, with every event we act on`);
  return error(
    check,
    `the endpoint ${url} ${failures.join(', ')}`,
    `In Stripe's dashboard, the endpoint must be enabled, in version ${Stripe.API_VERSION}, ` +
      `with ${STRIPE_EVENT_TYPES.join(', ')}. Its secret goes into STRIPE_WEBHOOK_SECRET.`,
  );
}

function explain(failure: unknown, apiUrl: string): Finding {
  if (!isStripeError(failure)) throw failure;
  const remedy =
    failure.statusCode === 401
      ? 'Set STRIPE_SECRET_KEY to a key of this account.'
      : 'Look at status.stripe.com, and check the network here.';
  return error('Stripe', `${toStripeErrorText(failure)} (${apiUrl})`, remedy);
}

/**
 * Checks that events arrive. Nothing else shows a wrong secret, because Stripe sees only our
 * refusals.
 */
async function examineDeliveries(db: Database): Promise<Finding[]> {
  const failures = (await findMoneyConditions(db)).filter(({ kind }) => kind === 'stripe-settings');
  const remedy =
    'Compare STRIPE_WEBHOOK_SECRET with the endpoint’s secret, and look at its deliveries in ' +
    'Stripe’s dashboard. Then run stripe:replay (docs/install.md, Commands).';
  if (failures.length === 0) return [ok('Stripe deliveries', 'none has failed')];
  return failures.map(({ text }) => error('Stripe deliveries', text, remedy));
}

/** Signed requests are refused once they look five minutes old. */
const MAX_SKEW_MS = 60_000;

/**
 * Compares our clock with a response's `Date` header. `ours` is the time between request and
 * response.
 */
function compareClocks(header: string | undefined, ours: Date): Finding {
  const skewMs = Date.parse(header ?? '') - ours.getTime();
  if (Math.abs(skewMs) <= MAX_SKEW_MS || Number.isNaN(skewMs))
    return ok('clock', 'agrees with Stripe’s');
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  const message = `${seconds} s ${skewMs > 0 ? 'behind' : 'ahead of'} Stripe’s`;
  return error('clock', message, 'Use NTP on this machine.');
}
