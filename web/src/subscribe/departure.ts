// The way to Stripe and back without paying.
import type { SubscribeButton } from '@site/schema/lead';
import type { FormValues } from '@site/schema/form-fields';
import { readStored, writeStored } from '../stored-text.ts';

/** The form as sent, and the page's scroll position. */
export type SubscribeDraft = { from: SubscribeButton; values: FormValues; scrollY: number };

const KEY = 'departure';

/** Records that this tab leaves for Stripe, with the form to restore on return. */
export function rememberCheckout(draft: SubscribeDraft | null): void {
  writeStored('sessionStorage', KEY, JSON.stringify({ draft }));
}

export function readDraft(): SubscribeDraft | null {
  try {
    const stored = readStored('sessionStorage', KEY) ?? '{}';
    return (JSON.parse(stored) as { draft?: SubscribeDraft }).draft ?? null;
  } catch {
    return null;
  }
}

const hasDeparted = () => readStored('sessionStorage', KEY) !== null;

/** Forgets a departure. Returns true if there was one. */
export function takeDeparture(): boolean {
  const departed = hasDeparted();
  writeStored('sessionStorage', KEY, null);
  return departed;
}

const isCancelled = () =>
  new URLSearchParams(window.location.search).get('checkout') === 'cancelled';

/** Returns true if Stripe's link back, or the browser's Back button, opened this page. */
export function hasReturned(): boolean {
  if (typeof window === 'undefined') return false;
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return isCancelled() || (navigation?.type === 'back_forward' && hasDeparted());
}

/** Forgets the departure, so that a reload does not count as a return. */
export function forgetReturn(): void {
  takeDeparture();
  if (!isCancelled()) return;
  const url = new URL(window.location.href);
  url.searchParams.delete('checkout');
  window.history.replaceState(window.history.state, '', `${url.pathname}${url.search}${url.hash}`);
}
