const OPERABLE = 'a, button, input, select, textarea';

/**
 * Opens the dialog of a part at its title. What takes the focus first may be so far below, with large text, that the
 * title would be scrolled out of sight: then the dialog itself takes it. Ends with the first key or press.
 */
export function beginAtTitle(part: HTMLElement | null): (() => void) | undefined {
  const dialog = part?.closest<HTMLElement>('[role="dialog"]');
  const layer = dialog?.parentElement;
  if (!dialog || !layer || !('ResizeObserver' in window)) return undefined;
  const check = () => {
    const first = document.activeElement;
    if (!first?.matches(OPERABLE) || !dialog.contains(first)) return;
    const margin = parseFloat(getComputedStyle(layer).scrollPaddingBottom) || 0;
    if (first.getBoundingClientRect().bottom + layer.scrollTop <= layer.clientHeight - margin)
      return;
    layer.scrollTop = 0;
    dialog.focus({ preventScroll: true });
  };
  // What it asks about may have to be loaded.
  const observer = new ResizeObserver(check);
  observer.observe(dialog);
  dialog.addEventListener('focusin', check);
  const end = () => {
    observer.disconnect();
    dialog.removeEventListener('focusin', check);
  };
  for (const type of ['keydown', 'pointerdown'])
    document.addEventListener(type, end, { capture: true, once: true });
  return end;
}
