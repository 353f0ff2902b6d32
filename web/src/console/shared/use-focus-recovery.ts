import { useEffect } from 'react';
import { findHeading, focusInPlace, listAncestors } from '../../ui/find-heading.ts';

/**
 * Moves the focus when the focused element is removed: to the nearest focusable ancestor that is still there (a row, a
 * list, a dialog), or else to the heading of its section, or of the view. Without this, keyboard users would start again at the top.
 */
export function useFocusRecovery(): void {
  useEffect(() => {
    let path: HTMLElement[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const remember = ({ target }: FocusEvent) => {
      path = target instanceof Element ? listAncestors(target) : [];
    };
    // Clicking elsewhere gives up the focus on purpose.
    const forget = ({ target }: Event) => {
      if (!(target instanceof Node && path[0]?.contains(target))) path = [];
    };
    const restore = () => {
      timer = undefined;
      if (!isLost(path)) return;
      focusInPlace(
        path.find((element) => element.isConnected && element.hasAttribute('tabindex')) ??
          findHeading(path),
      );
    };
    const observer = new MutationObserver(() => {
      // A closing dialog returns the focus itself, so it goes first.
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
