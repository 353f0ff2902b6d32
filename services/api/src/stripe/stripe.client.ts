import Stripe from 'stripe';

/** The timeout of one call. Callers set their own deadline over several. */
const CALL_TIMEOUT_MS = 4_000;

/**
 * Creates Stripe's SDK client. `apiUrl` is the sandbox's URL in development, and undefined for
 * Stripe.
 */
export function createStripe({
  secretKey,
  apiUrl,
}: {
  secretKey: string;
  apiUrl?: string | undefined;
}): Stripe {
  const url = apiUrl === undefined ? undefined : new URL(apiUrl);
  return new Stripe(secretKey.trim(), {
    timeout: CALL_TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(url && {
      host: url.hostname,
      port: url.port || (url.protocol === 'https:' ? '443' : '80'),
      protocol: url.protocol === 'https:' ? ('https' as const) : ('http' as const),
    }),
  });
}

/** Returns the URL of Stripe's dashboard in the key's mode. */
export function dashboardOf(secretKey: string): string {
  return `https://dashboard.stripe.com${isLiveKey(secretKey) ? '' : '/test'}`;
}

export function toDashboardUrl(secretKey: string, subscriptionId: string): string {
  return `${dashboardOf(secretKey)}/subscriptions/${subscriptionId}`;
}

/** Returns true for a secret or restricted key that moves real money. */
export function isLiveKey(secretKey: string): boolean {
  return /^(sk|rk)_live_/.test(secretKey.trim());
}

/** Returns the id of an object, whether the answer includes it or only names it. */
export const idOf = (object: string | { id: string }): string =>
  typeof object === 'string' ? object : object.id;
