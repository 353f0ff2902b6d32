import { lazy, Suspense, useSyncExternalStore } from 'react';
import type { ComponentType } from 'react';
import { isConsentAsked, onConsentChange } from '../analytics/consent.ts';

const ConsentBanner = lazy(async (): Promise<{ default: ComponentType }> => {
  try {
    return { default: (await import('./ConsentBanner.tsx')).ConsentBanner };
  } catch {
    // Not asked is not agreed, and the next page asks.
    return { default: () => null };
  }
});

/** The question, where there is one and it has no answer yet. The server cannot know, so it never asks. */
export function Consent() {
  const isOpen = useSyncExternalStore(onConsentChange, isConsentAsked, () => false);
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <ConsentBanner />
    </Suspense>
  );
}
