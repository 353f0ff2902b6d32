// Sends the subscribe form. Before: SubscribeDialog.tsx. Next: begin-checkout.ts posts the lead and
// opens checkout.
import type { SubscribeButton } from '@site/schema/lead';
import type { FormValues } from '@site/schema/form-fields';
import { useEffect, useRef, useState } from 'react';
import { recordEvent } from '../analytics/analytics.ts';
import { newId } from '../new-id.ts';
import { usePageReturn } from '../site/use-page-return.ts';
import { toasts } from '../ui/toast-store.ts';
import { currentAttribution } from './attribution.ts';
import { beginCheckout } from './begin-checkout.ts';
import type { CheckoutOutcome } from './begin-checkout.ts';
import { rememberCheckout, takeDeparture } from './departure.ts';
import { isFailedCheckout } from './Notice.tsx';
import type { Setback } from './Notice.tsx';

type SentForm = {
  from: SubscribeButton;
  values: FormValues;
  website: string;
  openedAt: number | undefined;
};

/** The notice beside the button. `count` grows with each change. */
type Answer = { setback: Setback | null; wasOffline: boolean; count: number };

/**
 * Sends the form, one request at a time. `subscribe` returns the email's error, or null. After
 * closing the form, a visitor stays here, even if its checkout opens later.
 */
export function useSubscribe(before: Setback | null, isOpen: boolean) {
  const [isPending, setPending] = useState(false);
  const [answer, setAnswer] = useState<Answer>({
    setback: before,
    wasOffline: false,
    count: before ? 1 : 0,
  });
  const isSending = useRef(false);
  const intent = useRef({ id: '', of: '' });
  const isWanted = useRef(true);
  useEffect(() => {
    isWanted.current = isOpen;
  }, [isOpen]);
  const show = (setback: Setback | null, wasOffline = false) =>
    setAnswer(({ count }) => ({ setback, wasOffline, count: count + (setback ? 1 : 0) }));

  usePageReturn(() => {
    isSending.current = false;
    setPending(false);
    if (takeDeparture()) show('returned');
  });

  async function subscribe({ from, values, website, openedAt }: SentForm): Promise<string | null> {
    if (isSending.current) return null;
    isSending.current = true;
    setPending(true);
    toasts.dismiss();

    const of = JSON.stringify([from, values]);
    if (intent.current.of !== of) intent.current = { id: newId(), of };
    const outcome = await beginCheckout({
      from,
      values,
      website,
      elapsedMs: openedAt === undefined ? undefined : performance.now() - openedAt,
      attribution: currentAttribution(),
      intentId: intent.current.id,
    });

    const setback = readSetback(outcome);
    const isOffline = isFailedCheckout(setback) && !navigator.onLine;
    show(setback, isOffline);
    if (outcome.kind === 'redirect' && isWanted.current) {
      // Stays pending, so that the button is disabled while the browser leaves.
      rememberCheckout({ from, values, scrollY: window.scrollY });
      recordEvent('Checkout Started', { plan: 'monthly' });
      window.location.assign(outcome.url);
      return null;
    }
    isSending.current = false;
    setPending(false);
    if (isFailedCheckout(setback) && !isOffline) {
      toasts.add({
        title: 'Subscription failed',
        description: 'Please try again or contact support.',
        tone: 'destructive',
      });
    }
    return outcome.kind === 'email-refused' ? outcome.message : null;
  }

  return { isPending, answer, subscribe };
}

function readSetback(outcome: CheckoutOutcome): Setback | null {
  if (outcome.kind === 'failed') return outcome.details;
  return outcome.kind === 'already-subscribed' ? 'subscriber' : null;
}
