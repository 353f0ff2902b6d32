import { useEffect, useEffectEvent } from 'react';

/** The Back button may bring this very page back as it was left: waiting for another that was on its way. */
export function usePageReturn(onReturn: () => void): void {
  const wake = useEffectEvent(onReturn);
  useEffect(() => {
    const listen = (event: PageTransitionEvent) => {
      if (event.persisted) wake();
    };
    window.addEventListener('pageshow', listen);
    return () => window.removeEventListener('pageshow', listen);
  }, []);
}
