import { useEffect } from 'react';

/** Keeps the page from scrolling, without moving it where its scrollbar takes room. */
export function useScrollLock(isLocked: boolean): void {
  useEffect(() => {
    if (!isLocked) return;
    const { style, clientWidth } = document.documentElement;
    const { overflow, paddingRight } = style;
    style.paddingRight = `${window.innerWidth - clientWidth}px`;
    style.overflow = 'hidden';
    return () => {
      style.overflow = overflow;
      style.paddingRight = paddingRight;
    };
  }, [isLocked]);
}
