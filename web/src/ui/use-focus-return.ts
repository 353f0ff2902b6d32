import { useRef } from 'react';

/**
 * Returns the focus when a layer closes: to `returnTo`, else to the element that had it when the layer opened, else
 * to `fallback()`. Radix only returns it to its own trigger.
 */
export function useFocusReturn(returnTo?: HTMLElement | null, fallback?: () => HTMLElement | null) {
  // Before an element of the layer takes the focus itself.
  const opener = useRef<Element | null>(document.activeElement);
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement;
    },
    returnTo: (element: Element) => {
      opener.current = element;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      // The focus has already left a layer that is not modal, and stays where it is.
      if (!returnTo && document.activeElement !== document.body) return;
      const target = returnTo ?? opener.current;
      if (target instanceof HTMLElement && target.isConnected && target !== document.body) target.focus();
      else fallback?.()?.focus({ preventScroll: true });
    },
  };
}
