import { useRef } from 'react';
import { listAncestors } from './find-heading.ts';

/**
 * Returns the focus when a layer closes: to `returnTo`, else to the element that had it when the layer opened, else to
 * `fallback()`, which is given all that this was in. Radix only returns it to its own trigger.
 */
export function useFocusReturn(
  returnTo?: HTMLElement | null,
  fallback?: (path: readonly HTMLElement[]) => HTMLElement | null,
) {
  // Before an element of the layer takes the focus itself.
  const path = useRef(listAncestors(document.activeElement));
  return {
    onOpenAutoFocus: () => {
      path.current = listAncestors(document.activeElement);
    },
    returnTo: (element: Element) => {
      path.current = listAncestors(element);
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      // The focus has already left a layer that is not modal, and stays where it is.
      if (!returnTo && document.activeElement !== document.body) return;
      const target = returnTo ?? path.current[0];
      if (target?.isConnected && target !== document.body) target.focus();
      else fallback?.(path.current)?.focus({ preventScroll: true });
    },
  };
}
