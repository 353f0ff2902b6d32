import type { SubscribeButton } from '@site/schema/lead';
import type { FormValues } from '@site/schema/form-fields';
import { readStored, writeStored } from '../stored-text.ts';

/** The form as it was left, and where the page was scrolled to, restored when the visitor comes back without paying. */
export type SubscribeDraft = { from: SubscribeButton; values: FormValues; scrollY?: number };

const DRAFT_KEY = 'subscribeDraft';
const DEPARTURE_KEY = 'subscribeDeparture';
/** Repeated here because the schema would add its validator to the first download. A missing name does not compile. */
const BUTTONS: Record<SubscribeButton, true> = { nav_sub: true, top_sub: true, bottom_sub: true };

/** Saves the form for this tab while its visitor is at Stripe or reloads the page. */
export function saveDraft(draft: SubscribeDraft): void {
  writeStored('sessionStorage', DRAFT_KEY, JSON.stringify(draft));
}

/** Reads the saved form. Returns null without one. */
export function readDraft(): SubscribeDraft | null {
  try {
    const draft: unknown = JSON.parse(readStored('sessionStorage', DRAFT_KEY) ?? 'null');
    return isDraft(draft) ? draft : null;
  } catch {
    return null;
  }
}

function isDraft(draft: unknown): draft is SubscribeDraft {
  const { from, values } = (draft ?? {}) as {
    from?: unknown;
    values?: Record<string, unknown> | null;
  };
  return (
    isSubscribeButton(from) &&
    Object.values(values ?? { none: null }).every((value) => typeof value === 'string')
  );
}

export function isSubscribeButton(value: unknown): value is SubscribeButton {
  return typeof value === 'string' && Object.hasOwn(BUTTONS, value);
}

export function noteDeparture(): void {
  writeStored('sessionStorage', DEPARTURE_KEY, 'yes');
}

/** Returns whether this tab left for Stripe. */
export const hasDeparted = () => readStored('sessionStorage', DEPARTURE_KEY) === 'yes';

/** Returns the same, and forgets it. */
export function takeDeparture(): boolean {
  const departed = hasDeparted();
  if (departed) writeStored('sessionStorage', DEPARTURE_KEY, null);
  return departed;
}

/** Tells whether this page was opened by Stripe's link back, or by the browser's Back button from there. */
export function hasReturned(): boolean {
  if (typeof window === 'undefined') return false;
  if (isCancelled()) return true;
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.type === 'back_forward' && hasDeparted();
}

export function isCancelled(): boolean {
  return new URLSearchParams(window.location.search).get('checkout') === 'cancelled';
}

/** Returns the same, and forgets it: the address no longer says so. */
export function takeReturn(): boolean {
  if (!hasReturned()) return false;
  takeDeparture();
  const url = new URL(window.location.href);
  url.searchParams.delete('checkout');
  window.history.replaceState(window.history.state, '', `${url.pathname}${url.search}${url.hash}`);
  return true;
}

/** Forgets the form of somebody who has subscribed. */
export function dropDraft(): void {
  writeStored('sessionStorage', DRAFT_KEY, null);
  writeStored('sessionStorage', DEPARTURE_KEY, null);
}
