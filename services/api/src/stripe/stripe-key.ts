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
