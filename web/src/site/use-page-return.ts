import { useEffect, useEffectEvent } from 'react';

/**
 * Runs when the Back button restores this page from the browser's cache, where it may still be
 * waiting for checkout.
 */
export function usePageReturn(onReturn: () => void): void {
  const handleReturn = useEffectEvent(onReturn);
  useEffect(() => {
    const listen = (event: PageTransitionEvent) => {
      if (event.persisted) handleReturn();
    };
    window.addEventListener('pageshow', listen);
    return () => window.removeEventListener('pageshow', listen);
  }, []);
}
