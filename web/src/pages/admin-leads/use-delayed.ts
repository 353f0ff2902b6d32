import { useEffect, useState } from 'react';

/** Whether something has been so for `delayMs` without a break: a quick answer never flashes a waiting state. */
export function useDelayed(isSo: boolean, delayMs: number): boolean {
  const [hasLasted, setHasLasted] = useState(false);
  useEffect(() => {
    if (!isSo) return undefined;
    const timer = setTimeout(() => setHasLasted(true), delayMs);
    return () => {
      clearTimeout(timer);
      setHasLasted(false);
    };
  }, [isSo, delayMs]);
  return isSo && hasLasted;
}
