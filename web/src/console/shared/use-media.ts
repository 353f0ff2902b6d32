import { useCallback, useSyncExternalStore } from 'react';

/**
 * Returns whether a media query matches, and follows its changes. Its widths are in em, as those of
 * the style sheets.
 */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
