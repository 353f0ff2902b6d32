/** Less is a scroll bar or a rounded size. */
const MIN_KEYBOARD = 100;

/**
 * Keeps a layer within the part of the window that a phone's keyboard leaves, so that it can be scrolled to its end. The
 * keyboard covers fixed elements without changing the window's size.
 */
export function stayAboveKeyboard(layer: HTMLElement | null): (() => void) | undefined {
  const view = window.visualViewport;
  if (!layer || !view) return undefined;
  const fit = () => {
    // Zoomed in, the part that is seen moves over a layer that stays as it is.
    const isCovered = view.scale === 1 && view.height < window.innerHeight - MIN_KEYBOARD;
    layer.style.height = isCovered ? `${view.height}px` : '';
    layer.style.top = isCovered ? `${view.offsetTop}px` : '';
    if (isCovered) document.activeElement?.scrollIntoView({ block: 'nearest' });
  };
  fit();
  view.addEventListener('resize', fit);
  view.addEventListener('scroll', fit);
  return () => {
    view.removeEventListener('resize', fit);
    view.removeEventListener('scroll', fit);
  };
}
