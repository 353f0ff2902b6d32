import { useEffect, useEffectEvent, useState } from 'react';
import { useInBrowser } from '../ui/use-in-browser.ts';
import { hasReturned, takeReturn } from './subscribe-draft.ts';

/**
 * Tells whether the visitor came back from Stripe without paying, and takes it from the address. `onServer` is what the
 * server knows of it. `onReturn` runs once, in the browser.
 */
export function useReturn(onServer: boolean, onReturn?: () => void): boolean {
  // Read once: the effect below takes it from the address.
  const [readReturn] = useState(() => once(hasReturned));
  const isReturn = useInBrowser(readReturn, () => onServer);
  const handleReturn = useEffectEvent(() => onReturn?.());
  useEffect(() => {
    if (takeReturn()) handleReturn();
  }, []);
  return isReturn;
}

function once<T>(read: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= read());
}
