import { useRef } from 'react';

/**
 * Gives the focus back when a layer closes: to `returnTo`, or else to where it was when the layer opened, and to
 * `fallback()` where that is gone. Radix itself knows only its own trigger, and leaves the focus nowhere.
 */
export function useFocusReturn(returnTo?: HTMLElement | null, fallback?: () => HTMLElement | null) {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      // Whoever left a layer that was not modal is somewhere else by now, and stays there.
      if (!returnTo && document.activeElement !== document.body) return;
      const target = returnTo ?? opener.current;
      if (target instanceof HTMLElement && target.isConnected && target !== document.body) target.focus();
      else fallback?.()?.focus();
    },
  };
}
