import { useEffect, useRef, useState } from 'react';

/** Throttles a text for a live region: passes the first one on at once, and later ones at most every `everyMs`. */
export function useThrottledText(text: string, everyMs: number): string {
  const [shown, setShown] = useState(text);
  const shownAt = useRef(0);
  useEffect(() => {
    if (text === shown) return undefined;
    const show = () => {
      // An empty text is not announced, so it does not count.
      if (text !== '') shownAt.current = Date.now();
      setShown(text);
    };
    const timer = setTimeout(
      show,
      text === '' ? 0 : Math.max(0, shownAt.current + everyMs - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [text, shown, everyMs]);
  return shown;
}
