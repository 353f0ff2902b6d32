import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { hasReturned, takeReturn } from './subscribe-draft.ts';

/**
 * Tells whether the visitor came back from Stripe without paying, and takes it from the address. `onServer` is what the
 * server knows of it. `onReturn` runs once, in the browser.
 */
export function useReturn(onServer: boolean, onReturn?: () => void): boolean {
  // Read once: the effect below takes it from the address.
  const [readReturn] = useState(() => once(hasReturned));
  const isReturn = useSyncExternalStore(neverChanges, readReturn, () => onServer);
  const handleReturn = useEffectEvent(() => onReturn?.());
  useEffect(() => {
    if (takeReturn()) handleReturn();
  }, []);
  return isReturn;
}

const neverChanges = () => () => undefined;

function once<T>(read: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= read());
}
