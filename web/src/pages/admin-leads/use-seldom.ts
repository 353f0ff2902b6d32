import { useEffect, useRef, useState } from 'react';

/** Words to be read out that change often: the first are passed on at once, later ones at most every `everyMs`. */
export function useSeldom(words: string, everyMs: number): string {
  const [said, setSaid] = useState(words);
  const saidAt = useRef(0);
  useEffect(() => {
    if (words === said) return undefined;
    const say = () => {
      // Falling silent takes nobody's time.
      if (words !== '') saidAt.current = Date.now();
      setSaid(words);
    };
    const timer = setTimeout(say, words === '' ? 0 : Math.max(0, saidAt.current + everyMs - Date.now()));
    return () => clearTimeout(timer);
  }, [words, said, everyMs]);
  return said;
}
