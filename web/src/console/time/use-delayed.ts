import { useEffect, useState } from 'react';

/** Returns true once a condition has held for `delayMs`, so that a quick answer never flashes a loading state. */
export function useDelayed(condition: boolean, delayMs: number): boolean {
  const [hasLasted, setHasLasted] = useState(false);
  useEffect(() => {
    if (!condition) return undefined;
    const timer = setTimeout(() => setHasLasted(true), delayMs);
    return () => {
      clearTimeout(timer);
      setHasLasted(false);
    };
  }, [condition, delayMs]);
  return condition && hasLasted;
}
