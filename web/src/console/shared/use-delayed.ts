import { useEffect, useState } from 'react';

/** A quicker answer takes the place of what was shown before it. */
export const SKELETON_AFTER_MS = 200;

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
