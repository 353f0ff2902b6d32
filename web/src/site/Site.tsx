import { useEffect } from 'react';
import { Outlet } from 'react-router-dom';
import { isConsentNeeded } from '../analytics/consent.ts';
import { Consent } from './Consent.tsx';
import { ToastOutlet } from '../ui/ToastOutlet.tsx';

/** The frame of every page: the cookie notice and the toasts. */
export function Site() {
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
      <Outlet />
      <ToastOutlet />
    </>
  );
}
