import { OFFER } from '@site/schema/offer';
import type { TRACK_EVENTS } from '@site/schema/tracking';
import { siteSettings } from '../site-settings.ts';
import { readStored, writeStored } from '../stored-text.ts';
import { hasAnalyticsConsent } from './consent.ts';

export type AnalyticsEvent =
  | { event: 'Purchase Completed'; product: string; value: number; currency: string; transaction_id: string }
  | { event: (typeof TRACK_EVENTS)[number]; page: 'sample-sent' };

declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/** Records an event where analytics is configured and this visitor agreed to it. Answers whether it was recorded. */
export function recordEvent(event: AnalyticsEvent): boolean {
  if (siteSettings().analyticsId === null || !hasAnalyticsConsent()) return false;
  window.dataLayer ??= [];
  window.dataLayer.push(event);
  return true;
}

/** Records a purchase: once a checkout session, however often its page is opened. */
export function recordPurchase(checkoutSessionId: string): void {
  const key = `purchaseRecorded:${checkoutSessionId}`;
  if (readStored('localStorage', key) !== null) return;
  const isRecorded = recordEvent({
    event: 'Purchase Completed',
    product: `${OFFER.productName}_subscription`,
    value: OFFER.conversion.value,
    currency: OFFER.conversion.currency,
    transaction_id: checkoutSessionId,
  });
  if (isRecorded) writeStored('localStorage', key, 'yes');
}
