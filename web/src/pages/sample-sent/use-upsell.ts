import { checkoutUrlAnswer } from '@site/schema/checkout';
import type { UpsellPlan } from '@site/schema/offer';
import type { TRACK_EVENTS } from '@site/schema/tracking';
import { useRef, useState } from 'react';
import { recordEvent } from '../../analytics/analytics.ts';
import { callApi, postJson } from '../../http.ts';
import { newId } from '../../new-id.ts';
import { readSampleEmail } from '../../sample-email.ts';
import { usePageReturn } from '../../site/use-page-return.ts';
import { withSampleSource } from './upsell-url.ts';

const CLICK_EVENTS: Record<UpsellPlan, (typeof TRACK_EVENTS)[number]> = {
  monthly15: 'cta-monthly-15',
  annual25: 'cta-annual-25',
};

/** Counts the click, then opens the plan's checkout. `failed` is the plan whose checkout did not open. */
export function useUpsell() {
  const [pending, setPending] = useState<UpsellPlan | null>(null);
  const [failed, setFailed] = useState<UpsellPlan | null>(null);
  const isSending = useRef(false);
  const intents = useRef(new Map<UpsellPlan, string>());

  usePageReturn(() => {
    isSending.current = false;
    setPending(null);
  });

  async function choose(plan: UpsellPlan): Promise<void> {
    if (isSending.current) return;
    isSending.current = true;
    setPending(plan);
    setFailed(null);
    track(plan);
    try {
      const email = readSampleEmail(new Date());
      const intent = intents.current.get(plan) ?? newId();
      intents.current.set(plan, intent);
      const answer = await postJson(
        '/api/checkout/upsell',
        { plan, ...(email === undefined ? {} : { email }) },
        { headers: { 'Idempotency-Key': intent } },
      );
      recordEvent('Checkout Started', { plan });
      window.location.assign(withSampleSource(checkoutUrlAnswer.parse(answer).url));
    } catch (error) {
      console.error('The upsell checkout could not be opened', error);
      isSending.current = false;
      setPending(null);
      setFailed(plan);
    }
  }

  return { pending, failed, choose };
}

function track(plan: UpsellPlan): void {
  const event = CLICK_EVENTS[plan];
  recordEvent(event, { page: 'sample-sent' });
  // A lost count does not matter to the visitor, so nothing waits for it or reports it.
  callApi('POST', '/api/track', { event, page: 'sample-sent' }, { keepalive: true }).catch(() => undefined);
}
