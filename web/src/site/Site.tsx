import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { isConsentNeeded } from '../analytics/consent.ts';
import { Consent } from './Consent.tsx';
import { ToastOutlet } from '../ui/ToastOutlet.tsx';

/** The frame of every page: the cookie notice and the toasts. */
export function Site({ children }: { children: ReactNode }) {
  // After the page has read its address, which third-party scripts may not see whole.
  useEffect(() => {
    if (!isConsentNeeded()) return;
    void import('../analytics/third-parties.ts').then(
      ({ loadWithConsent }) => loadWithConsent(),
      () => undefined,
    );
  }, []);
  return (
    <>
      <Consent />
      {children}
      <ToastOutlet />
    </>
  );
}
