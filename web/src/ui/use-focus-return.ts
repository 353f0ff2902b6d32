import { useRef, useState } from 'react';
import { focusInPlace, listAncestors } from './find-heading.ts';

/** All that the focus was in, from the inside out, when the latest layer opened that was not opened from another. */
let outside: HTMLElement[] = [];

function remember(element: Element | null): HTMLElement[] {
  const path = listAncestors(element);
  if (path.some((each) => each.matches('[role=dialog]'))) return [...path, ...outside];
  outside = path;
  return path;
}

/**
 * Returns the focus when a layer closes: to `returnTo`, else to the element that had it when the layer opened, or the
 * nearest focusable one that this was in, else to `fallback()`, which is given all of them. Radix only returns it to its own trigger.
 */
export function useFocusReturn(
  returnTo?: HTMLElement | null,
  fallback?: (path: readonly HTMLElement[]) => HTMLElement | null,
) {
  // Before an element of the layer takes the focus itself.
  const [opener] = useState(() => remember(document.activeElement));
  const path = useRef(opener);
  return {
    onOpenAutoFocus: () => {
      path.current = remember(document.activeElement);
    },
    returnTo: (element: Element) => {
      path.current = remember(element);
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      // The focus has already left a layer that is not modal, and stays where it is. A dialog below has caught it as lost.
      if (!returnTo && !document.activeElement?.matches('body, [role=dialog]')) return;
      const target = returnTo ?? path.current.find(canTake);
      if (target?.isConnected) target.focus();
      else focusInPlace(fallback?.(path.current));
    },
  };
}

const canTake = (element: HTMLElement, index: number) =>
  element.isConnected &&
  element !== document.body &&
  (index === 0 || element.matches('a[href], button, [tabindex]'));
