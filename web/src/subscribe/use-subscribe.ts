// Sends the subscribe form. Before: SubscribeDialog.tsx. Next: begin-checkout.ts posts the lead and opens checkout.
import type { SubscribeButton } from '@site/schema/lead';
import type { FormValues } from '@site/schema/form-fields';
import { useEffect, useRef, useState } from 'react';
import { recordEvent } from '../analytics/analytics.ts';
import { newId } from '../new-id.ts';
import { usePageReturn } from '../site/use-page-return.ts';
import { toasts } from '../ui/toast-store.ts';
import { currentAttribution } from './attribution.ts';
import { beginCheckout } from './begin-checkout.ts';
import { isFailedCheckout, isTooMany } from './Reassurance.tsx';
import type { FailedCheckout, Setback } from './Reassurance.tsx';
import { hasSubscribed, noteDeparture, takeDeparture } from './subscribe-draft.ts';

type SentForm = { from: SubscribeButton; values: FormValues; website: string; openedAt: number | undefined };

/**
 * Sends the form, one request at a time. `refused` is for someone who already has a subscription, and
 * `setback` why nothing was charged; `failedOffline` is the same of a press offline, and all there is to say. `subscribe` returns what is wrong with the address, or null.
 * Who closes the form stays, even if its checkout opens later.
 */
export function useSubscribe(before: Setback | null, isOpen: boolean | undefined) {
  const [isPending, setPending] = useState(false);
  const [refused, setRefused] = useState<'address' | 'payer' | null>(isOpen && hasSubscribed() ? 'payer' : null);
  const [setback, setSetback] = useState(before);
  const [outcomes, setOutcomes] = useState(0);
  const [isAgain, setAgain] = useState(false);
  const [failedOffline, setFailedOffline] = useState<FailedCheckout | null>(null);
  const isSending = useRef(false);
  const intent = useRef({ id: '', of: '' });
  const isWanted = useRef(true);
  useEffect(() => {
    isWanted.current = isOpen !== false;
  }, [isOpen]);

  /** Who has paid in this tab does not need the form. */
  const refusePayer = () => setRefused(hasSubscribed() ? 'payer' : null);

  usePageReturn(() => {
    isSending.current = false;
    setPending(false);
    if (takeDeparture()) setSetback('returned');
    else refusePayer();
  });

  // Offline there is one message, at the button. Nothing of it was said before.
  useEffect(() => {
    const begin = () => {
      toasts.dismiss();
      setAgain(false);
    };
    window.addEventListener('offline', begin);
    window.addEventListener('online', begin);
    return () => {
      window.removeEventListener('offline', begin);
      window.removeEventListener('online', begin);
    };
  }, []);

  async function subscribe({ from, values, website, openedAt }: SentForm): Promise<string | null> {
    if (isSending.current) return null;
    const wasOffline = !navigator.onLine;
    isSending.current = true;
    setPending(true);
    setFailedOffline(null);
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

    const failure = outcome.kind === 'failed' ? outcome.details : null;
    const isOffline = isFailedCheckout(failure) && !navigator.onLine;
    // Until then the message kept its room, so that the button stayed where it was pressed.
    // Who has a subscription, or must wait, reads the same offline.
    if (!isOffline) setRefused(null);
    if (!isOffline || !isTooMany(setback)) setSetback(null);
    setAgain(isOffline ? wasOffline : isFailedCheckout(setback));
    setOutcomes((count) => count + 1);
    if (outcome.kind === 'redirect' && isWanted.current) {
      // Stays pending so that the button is not usable while the browser leaves.
      noteDeparture();
      recordEvent('Checkout Started', { plan: 'monthly' });
      window.location.assign(outcome.url);
      return null;
    }
    isSending.current = false;
    setPending(false);
    if (outcome.kind === 'redirect') return null;
    if (outcome.kind === 'email-refused') return outcome.message;
    if (outcome.kind === 'already-subscribed') setRefused('address');
    else if (isOffline) setFailedOffline(refused !== null || isTooMany(setback) ? null : failure);
    else {
      setSetback(outcome.details);
      // The page of the form has one message, at the button, and so has everybody offline.
      if (isOpen !== undefined && isFailedCheckout(outcome.details)) {
        toasts.add({
          title: 'Subscription failed',
          description: 'Please try again or contact support.',
          tone: 'destructive',
        });
      }
    }
    return null;
  }

  /** What was said of an address is not true of another. */
  const forgetRefusal = () => setRefused(null);

  return { isPending, refused, refusePayer, forgetRefusal, setback, isAgain, outcomes, failedOffline, subscribe };
}
