import { useCallback, useSyncExternalStore } from 'react';

/** Returns whether a media query matches, and follows its changes. Its widths are in em, as those of the style sheets. */
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

/** Returns whether rows are cards and filters a sheet. The style sheets change at the same width. */
export const useNarrow = () => useWidthBelow('40em');

/** Returns whether the page is at most so wide, and not on paper. */
function useWidthBelow(width: string): boolean {
  const isNarrow = useMedia(`(max-width: ${width})`);
  // A browser counts the sheets before it asks for the width of the paper, and would leave the rest of them blank.
  return !useSyncExternalStore(onPrint, () => isPrinting) && isNarrow;
}

let isPrinting = false;

function onPrint(onChange: () => void) {
  const listen = ({ type }: Event) => {
    isPrinting = type === 'beforeprint';
    onChange();
  };
  for (const event of ['beforeprint', 'afterprint']) window.addEventListener(event, listen);
  return () => {
    for (const event of ['beforeprint', 'afterprint']) window.removeEventListener(event, listen);
  };
}
