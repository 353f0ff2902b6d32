import { withSampleSource } from '@site/schema/offer';
import type { UpsellPlan } from '@site/schema/offer';
import type { TrackEvent } from '@site/schema/calls/visitor';
import { useRef, useState } from 'react';
import { recordEvent } from '../../analytics/analytics.ts';
import { callApi } from '../../http.ts';
import { isAlreadySubscribed, readTooMany } from '../../subscribe/begin-checkout.ts';
import type { TooMany } from '../../subscribe/Reassurance.tsx';
import { newId } from '../../new-id.ts';
import { readSampleEmail } from '../../sample-email.ts';
import { usePageReturn } from '../../site/use-page-return.ts';
import { noteDeparture, takeDeparture } from '../../subscribe/subscribe-draft.ts';
import { useReturn } from '../../subscribe/use-return.ts';

/** Why a plan's checkout did not open. */
export type UpsellFailure = 'already-subscribed' | 'not-opened' | 'offline' | TooMany;

type Failed = { plan: UpsellPlan; failure: UpsellFailure; isAgain: boolean };

const CLICK_EVENTS: Record<UpsellPlan, TrackEvent> = {
  monthly15: 'cta-monthly-15',
  annual25: 'cta-annual-25',
};

/**
 * Counts the click, then opens the plan's checkout. `isReturn`: they came back from Stripe without paying, and have not pressed again.
 */
export function useUpsell(checkout: string | null) {
  const [pending, setPending] = useState<UpsellPlan | null>(null);
  const [failed, setFailed] = useState<Failed | null>(null);
  const isSending = useRef(false);
  const intents = useRef(new Map<UpsellPlan, string>());

  const [isBack, setBack] = useState<boolean | null>(null);
  const isReturn = useReturn(checkout === 'cancelled');

  usePageReturn(() => {
    isSending.current = false;
    setPending(null);
    setFailed(null);
    if (takeDeparture()) setBack(true);
  });

  async function choose(plan: UpsellPlan): Promise<void> {
    if (isSending.current) return;
    const wasOffline = !navigator.onLine;
    isSending.current = true;
    setPending(plan);
    setBack(false);
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
      noteDeparture();
      // Back does not lead to an earlier failure.
      if (checkout !== null)
        window.history.replaceState(window.history.state, '', window.location.pathname);
      window.location.assign(withSampleSource(url));
    } catch (error) {
      console.error('The upsell checkout could not be opened', error);
      isSending.current = false;
      setPending(null);
      const failure = isAlreadySubscribed(error)
        ? 'already-subscribed'
        : (readTooMany(error) ?? (navigator.onLine ? 'not-opened' : 'offline'));
      setFailed((before) => {
        const isSame = failure === 'offline' ? wasOffline : before?.failure === failure;
        return { plan, failure, isAgain: before?.plan === plan && isSame };
      });
    }
  }

  return { pending, failed, isReturn: isBack ?? isReturn, choose };
}

function track(plan: UpsellPlan): void {
  const event = CLICK_EVENTS[plan];
  recordEvent(event, { page: 'sample-sent' });
  // A lost count does not matter to the visitor, so nothing waits for it or reports it.
  callApi('POST /api/track', { body: { event, page: 'sample-sent' }, keepalive: true }).catch(
    () => undefined,
  );
}
