import { useEffect } from 'react';

/** Goes to the section the address names: it was not there yet when the browser looked for it. */
export function useScrollToAddress(): void {
  useEffect(() => {
    const { hash } = window.location;
    if (hash.length > 1)
      document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView({ behavior: 'instant' });
  }, []);
}
