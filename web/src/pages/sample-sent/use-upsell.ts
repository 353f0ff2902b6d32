import { withSampleSource } from '@site/schema/offer';
import type { UpsellPlan } from '@site/schema/offer';
import type { TrackEvent } from '@site/schema/calls/visitor';
import { useEffect, useRef, useState } from 'react';
import { recordEvent } from '../../analytics/analytics.ts';
import { callApi } from '../../http.ts';
import { isAlreadySubscribed, readTooMany } from '../../subscribe/begin-checkout.ts';
import { forgetReturn, rememberCheckout, takeDeparture } from '../../subscribe/departure.ts';
import type { TooMany } from '../../subscribe/Notice.tsx';
import { newId } from '../../new-id.ts';
import { readSampleEmail } from '../../sample-email.ts';
import { usePageReturn } from '../../site/use-page-return.ts';

/** The reasons why a plan's checkout did not open. */
export type UpsellFailure = 'already-subscribed' | 'not-opened' | 'offline' | TooMany;

const CLICK_EVENTS: Record<UpsellPlan, TrackEvent> = {
  monthly15: 'cta-monthly-15',
  annual25: 'cta-annual-25',
};

/**
 * Counts the click, then opens the plan's checkout. `isReturn`: the visitor came back from Stripe
 * without paying.
 */
export function useUpsell(isCancelled: boolean) {
  const [pending, setPending] = useState<UpsellPlan | null>(null);
  const [failed, setFailed] = useState<{ plan: UpsellPlan; failure: UpsellFailure } | null>(null);
  const [isReturn, setReturn] = useState(isCancelled);
  const isSending = useRef(false);
  const intents = useRef(new Map<UpsellPlan, string>());

  useEffect(forgetReturn, []);

  usePageReturn(() => {
    isSending.current = false;
    setPending(null);
    setFailed(null);
    if (takeDeparture()) setReturn(true);
  });

  async function choose(plan: UpsellPlan): Promise<void> {
    if (isSending.current) return;
    isSending.current = true;
    setPending(plan);
    setReturn(false);
    setFailed(null);
    track(plan);
    try {
      const email = readSampleEmail(new Date());
      const intent = intents.current.get(plan) ?? newId();
      intents.current.set(plan, intent);
      const { url } = await callApi('POST /api/checkout/upsell', {
        body: { plan, ...(email === undefined ? {} : { email }) },
        headers: { 'Idempotency-Key': intent },
      });
      recordEvent('Checkout Started', { plan });
      rememberCheckout(null);
      window.location.assign(withSampleSource(url));
    } catch (error) {
      console.error('The upsell checkout could not be opened', error);
      isSending.current = false;
      setPending(null);
      const failure = isAlreadySubscribed(error)
        ? 'already-subscribed'
        : (readTooMany(error) ?? (navigator.onLine ? 'not-opened' : 'offline'));
      setFailed({ plan, failure });
    }
  }

  return { pending, failed, isReturn, choose };
}

function track(plan: UpsellPlan): void {
  const event = CLICK_EVENTS[plan];
  recordEvent(event, { page: 'sample-sent' });
  // A lost count does not affect the visitor, so nothing waits for it or reports it.
  callApi('POST /api/track', { body: { event, page: 'sample-sent' }, keepalive: true }).catch(
    () => undefined,
  );
}
