/** Stripe's address with the sample page named as the source. Its `#fragment` stays: Stripe needs it. */
export function withSampleSource(checkoutUrl: string): string {
  const url = new URL(checkoutUrl);
  url.searchParams.set('utm_source', 'sample');
  url.searchParams.set('utm_medium', 'page');
  url.searchParams.set('utm_campaign', 'upsell');
  return url.href;
}
