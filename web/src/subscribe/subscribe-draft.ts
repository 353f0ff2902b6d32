import type { SubscribeButton } from '@site/schema/lead';
import { readStored, writeStored } from '../stored-text.ts';

export type SubscribeValues = { name: string; email: string; company: string; phone: string };

/** What a visitor took along to Stripe, to find it again on turning back. */
export type SubscribeDraft = { from: SubscribeButton; values: SubscribeValues };

const DRAFT_KEY = 'subscribeDraft';
/** Named again, since the schema would bring its validator into the first download; a missing one does not compile. */
const BUTTONS: Record<SubscribeButton, true> = { nav_sub: true, top_sub: true, bottom_sub: true };

/** Keeps the form for this tab while its visitor is at Stripe. */
export function saveDraft(draft: SubscribeDraft): void {
  writeStored('sessionStorage', DRAFT_KEY, JSON.stringify(draft));
}

/** The form as it was, or null. */
export function readDraft(): SubscribeDraft | null {
  try {
    const draft: unknown = JSON.parse(readStored('sessionStorage', DRAFT_KEY) ?? 'null');
    return isDraft(draft) ? draft : null;
  } catch {
    return null;
  }
}

function isDraft(draft: unknown): draft is SubscribeDraft {
  const { from, values } = (draft ?? {}) as { from?: unknown; values?: Record<string, unknown> | null };
  return (
    typeof from === 'string' &&
    Object.hasOwn(BUTTONS, from) &&
    ['name', 'email', 'company', 'phone'].every((field) => typeof values?.[field] === 'string')
  );
}

/** Forgets the form: its visitor has subscribed. */
export function dropDraft(): void {
  writeStored('sessionStorage', DRAFT_KEY, null);
}
