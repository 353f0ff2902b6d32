import { lazy, Suspense, useSyncExternalStore } from 'react';
import type { ComponentType } from 'react';
import { isConsentAsked, onConsentChange } from '../analytics/consent.ts';

const ConsentBanner = lazy(async (): Promise<{ default: ComponentType }> => {
  try {
    return { default: (await import('./ConsentBanner.tsx')).ConsentBanner };
  } catch {
    // Without the notice there is no consent. The next page tries again.
    return { default: () => null };
  }
});

/** Shows the cookie notice if a choice is needed. The server never renders it, because it cannot know the choice. */
export function Consent() {
  const isOpen = useSyncExternalStore(onConsentChange, isConsentAsked, () => false);
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <ConsentBanner />
    </Suspense>
  );
}
