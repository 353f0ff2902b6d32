import { OFFER } from '@site/schema/offer';
import type { UpsellPlan } from '@site/schema/offer';
import type { SubscribeButton } from '@site/schema/lead';
import type { TrackEvent } from '@site/schema/calls/visitor';
import { newId } from '../new-id.ts';
import { siteSettings } from '../site-settings.ts';
import { readStored, writeStored } from '../stored-text.ts';
import { hasConsent } from './consent.ts';

declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/** The events we measure and their details. None identifies the visitor. */
export type AnalyticsEvents = {
  'Subscribe Modal Opened': { button: SubscribeButton };
  'Checkout Started': { plan: 'monthly' | UpsellPlan };
  'Purchase Completed': {
    transaction_id: string;
    value: number;
    currency: string;
    product: string;
    items: { item_id: string; item_name: string; price: number; quantity: number }[];
  };
} & Record<TrackEvent, { page: 'sample-sent' }>;

/**
 * Records an event if analytics is configured and the visitor has accepted it. Returns true if it
 * was recorded.
 */
export function recordEvent<Name extends keyof AnalyticsEvents>(
  name: Name,
  details: AnalyticsEvents[Name],
): boolean {
  if (siteSettings().analyticsId === null || !hasConsent()) return false;
  gtag('event', name, details);
  return true;
}

/** Records a purchase once per checkout session, however often its page is opened. */
export function recordPurchase(checkoutSessionId: string): void {
  const key = `purchaseRecorded:${checkoutSessionId}`;
  if (readStored('localStorage', key) !== null) return;
  const product = `${OFFER.productName}_subscription`;
  const { value, currency } = OFFER.conversion;
  const isRecorded = recordEvent('Purchase Completed', {
    // Random, because with the session's id, a reader of the analytics could open the receipt.
    transaction_id: newId(),
    value,
    currency,
    product,
    items: [{ item_id: product, item_name: product, price: value, quantity: 1 }],
  });
  if (isRecorded) writeStored('localStorage', key, 'yes');
}

/** Queues a command in `window.dataLayer` for Google's tag, which may load later. */
export function gtag(..._command: unknown[]): void {
  window.dataLayer ??= [];
  // oxlint-disable-next-line prefer-rest-params -- the tag knows commands by an arguments object
  window.dataLayer.push(arguments);
}
