import { useEffect } from 'react';
import { findHeading } from './content-place.ts';

/**
 * Whoever works without a pointer is where the focus is. When the element that has it goes, the focus moves to what
 * it stood in and is still there (a row, a list, a dialog), or else to the heading of the page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let path: HTMLElement[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const remember = ({ target }: FocusEvent) => {
      path = target instanceof HTMLElement ? [target, ...listFocusable(target.parentElement)] : [];
    };
    // A press elsewhere gives the focus up on purpose.
    const forget = () => {
      path = [];
    };
    const restore = () => {
      timer = undefined;
      if (!isLost(path)) return;
      const place = path.find(({ isConnected }) => isConnected) ?? findHeading();
      place?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      // A layer that closes gives the focus back in its own time, and comes first.
      if (isLost(path)) timer ??= setTimeout(restore);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', forget, true);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', forget, true);
    };
  }, []);
}

function isLost([focused]: readonly HTMLElement[]): boolean {
  return focused !== undefined && !focused.isConnected && document.activeElement === document.body;
}

function listFocusable(from: HTMLElement | null): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let element = from; element; element = element.parentElement) {
    if (element.hasAttribute('tabindex')) found.push(element);
  }
  return found;
}
