import type { SubscribeButton } from '@site/schema/lead';
import type { FormValues } from '@site/schema/form-fields';
import { isSubscribed, subscribedCookie } from '@site/schema/subscribed-cookie';
import { readStored, writeStored } from '../stored-text.ts';

/** The form as it was left, and where the page was scrolled to, restored when the visitor comes back without paying. */
export type SubscribeDraft = { from: SubscribeButton; values: FormValues; scrollY?: number };
/** With the mark of the last form that this browser had sent without scripts by then. */
type Saved = SubscribeDraft & { plain: string };

const DRAFT_KEY = 'subscribeDraft';
const DEPARTURE_KEY = 'subscribeDeparture';
/** Repeated here because the schema would add its validator to the first download. A missing name does not compile. */
const BUTTONS: Record<SubscribeButton, true> = { nav_sub: true, top_sub: true, bottom_sub: true };

/** Saves the form for this tab while its visitor is at Stripe or reloads the page. */
export function saveDraft(draft: SubscribeDraft): void {
  const saved: Saved = { ...draft, plain: lastPlainForm() };
  writeStored('sessionStorage', DRAFT_KEY, JSON.stringify(saved));
}

/** What was sent without scripts is newer than a draft from before. */
const lastPlainForm = () => /(?:^|;\s*)lastPlainForm=([^;]+)/.exec(document.cookie)?.[1] ?? '';

/** Reads the saved form. Returns null without one, and if this browser has sent a form without scripts after it. */
export function readDraft(): Saved | null {
  try {
    const draft: unknown = JSON.parse(readStored('sessionStorage', DRAFT_KEY) ?? 'null');
    return isDraft(draft) && (lastPlainForm() === '' || lastPlainForm() === draft.plain)
      ? draft
      : null;
  } catch {
    return null;
  }
}

function isDraft(draft: unknown): draft is Saved {
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

/** Returns whether this browser has subscribed within a day. */
export const hasSubscribed = () => typeof document !== 'undefined' && isSubscribed(document.cookie);

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
  // Nor which form it was: the server would show it again instead of a later one.
  for (const name of ['checkout', 'answer']) url.searchParams.delete(name);
  window.history.replaceState(window.history.state, '', `${url.pathname}${url.search}${url.hash}`);
  return true;
}

/** Forgets the form of somebody who has subscribed, and remembers that they have. */
export function noteSubscribed(): void {
  writeStored('sessionStorage', DRAFT_KEY, null);
  writeStored('sessionStorage', DEPARTURE_KEY, null);
  document.cookie = subscribedCookie(window.location.href);
}
