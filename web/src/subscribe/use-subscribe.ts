// Sends the subscribe form. Before: SubscribeDialog.tsx. Next: begin-checkout.ts posts the lead and opens checkout.
import type { SubscribeButton } from '@site/schema/lead';
import type { FormValues } from '@site/schema/form-fields';
import { useCallback, useEffect, useRef, useState } from 'react';
import { recordEvent } from '../analytics/analytics.ts';
import { newId } from '../new-id.ts';
import { usePageReturn } from '../site/use-page-return.ts';
import { toasts } from '../ui/toast-store.ts';
import { currentAttribution } from './attribution.ts';
import { beginCheckout } from './begin-checkout.ts';
import type { CheckoutOutcome } from './begin-checkout.ts';
import { isFailedCheckout, staysOffline } from './Reassurance.tsx';
import type { FailedCheckout, Setback } from './Reassurance.tsx';
import { noteDeparture, takeDeparture } from './subscribe-draft.ts';

type SentForm = {
  from: SubscribeButton;
  values: FormValues;
  website: string;
  openedAt: number | undefined;
};

/** What the visitor is told beside the button, after `answers` presses. */
type Told = {
  setback: Setback | null;
  /** What became of a press offline. */
  offline: FailedCheckout | null;
  /** The press before came to the same. */
  isAgain: boolean;
  answers: number;
};

/**
 * Sends the form, one request at a time. `subscribe` returns what is wrong with the address, or null. Who closes the form
 * stays, even if its checkout opens later.
 */
export function useSubscribe(before: Setback | null, isOpen: boolean | undefined) {
  const [isPending, setPending] = useState(false);
  const [told, setTold] = useState<Told>({
    setback: before,
    offline: null,
    isAgain: false,
    answers: 0,
  });
  const isSending = useRef(false);
  const intent = useRef({ id: '', of: '' });
  const isWanted = useRef(true);
  useEffect(() => {
    isWanted.current = isOpen !== false;
  }, [isOpen]);

  usePageReturn(() => {
    isSending.current = false;
    setPending(false);
    if (takeDeparture()) setTold((now) => ({ ...now, setback: 'returned' }));
  });

  // Offline there is one message, at the button. Nothing of it was said before.
  const beginConnection = useCallback(() => {
    toasts.dismiss();
    setTold((now) => ({ ...now, isAgain: false }));
  }, []);

  async function subscribe({ from, values, website, openedAt }: SentForm): Promise<string | null> {
    if (isSending.current) return null;
    const wasOffline = !navigator.onLine;
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
    // Until now the message kept its room, so that the button stayed where it was pressed.
    setTold((now) => {
      const stays = isOffline && staysOffline(now.setback);
      return {
        setback: stays ? now.setback : isOffline ? null : setback,
        offline: isOffline && !stays ? setback : null,
        isAgain: isOffline ? wasOffline : isFailedCheckout(now.setback),
        answers: now.answers + 1,
      };
    });
    if (outcome.kind === 'redirect' && isWanted.current) {
      // Stays pending so that the button is not usable while the browser leaves.
      noteDeparture();
      recordEvent('Checkout Started', { plan: 'monthly' });
      window.location.assign(outcome.url);
      return null;
    }
    isSending.current = false;
    setPending(false);
    // The page of the form has one message, at the button, and so has everybody offline.
    if (isOpen !== undefined && isFailedCheckout(setback) && !isOffline) {
      toasts.add({
        title: 'Subscription failed',
        description: 'Please try again or contact support.',
        tone: 'destructive',
      });
    }
    return outcome.kind === 'email-refused' ? outcome.message : null;
  }

  /** What was said of an address is not true of another. */
  const forgetRefusal = () =>
    setTold((now) => (staysOffline(now.setback) ? { ...now, setback: null } : now));

  /** After another press, a return is past. */
  const forgetReturn = () =>
    setTold((now) => (now.setback === 'returned' ? { ...now, setback: null } : now));

  return { isPending, told, forgetRefusal, forgetReturn, beginConnection, subscribe };
}

function readSetback(outcome: CheckoutOutcome): Setback | null {
  if (outcome.kind === 'failed') return outcome.details;
  return outcome.kind === 'already-subscribed' ? 'subscriber' : null;
}
