import { useEffect, useState } from 'react';

/**
 * Returns the current time, which advances every second while a time on the screen counts down or
 * up.
 */
export function useNow(isCounting: boolean): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    if (!isCounting) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      setNow(new Date());
      timer = setTimeout(tick, 1_000);
    };
    timer = setTimeout(tick, 0);
    return () => clearTimeout(timer);
  }, [isCounting]);
  return now;
}
