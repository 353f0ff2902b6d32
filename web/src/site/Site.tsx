import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { isConsentAsked, isConsentNeeded, onConsentChange } from '../analytics/consent.ts';
import { ToastOutlet } from '../ui/ToastOutlet.tsx';

const ConsentBanner = lazy(async (): Promise<{ default: ComponentType }> => {
  try {
    return { default: (await import('./ConsentBanner.tsx')).ConsentBanner };
  } catch {
    // Without the notice there is no consent. The next page tries again.
    return { default: () => null };
  }
});

export function Site({ children }: { children: ReactNode }) {
  // After the page has read its URL, whose query third-party scripts may not see.
  useEffect(() => {
    if (!isConsentNeeded()) return;
    void import('../analytics/third-parties.ts').then(
      ({ loadWithConsent }) => loadWithConsent(),
      () => undefined,
    );
  }, []);
  return (
    <>
      {children}
      <Consent />
      <ToastOutlet />
    </>
  );
}

/**
 * Shows the cookie notice if a choice is needed. The server never renders it, because it cannot
 * know the choice.
 */
export function Consent() {
  const isOpen = useSyncExternalStore(onConsentChange, isConsentAsked, () => false);
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <ConsentBanner />
    </Suspense>
  );
}
