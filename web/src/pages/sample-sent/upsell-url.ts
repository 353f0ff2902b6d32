/** Adds the sample page as the source to Stripe's address. Keeps its `#fragment`, which Stripe needs. */
export function withSampleSource(checkoutUrl: string): string {
  const url = new URL(checkoutUrl);
  url.searchParams.set('utm_source', 'sample');
  url.searchParams.set('utm_medium', 'page');
  url.searchParams.set('utm_campaign', 'upsell');
  return url.href;
}
