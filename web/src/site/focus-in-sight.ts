const OPERABLE = 'a, button, input, select, textarea, [tabindex="0"]';

/** By then the browser has scrolled by itself, and the error of the field that was left has moved what is below it. */
const SETTLED_MS = 150;

/**
 * Shows whole what the keyboard, or a page's own code, has just given the focus to: browsers leave it where it is as
 * long as any part of it can be seen. Never while a pointer is down, or the press would end on something else.
 */
export function keepFocusInSight(): void {
  let isPressed = false;
  document.addEventListener('pointerdown', () => (isPressed = true), true);
  for (const end of ['pointerup', 'pointercancel']) document.addEventListener(end, () => (isPressed = false), true);
  document.addEventListener('focusin', ({ target }) => {
    if (isPressed || !(target instanceof HTMLElement) || !target.matches(OPERABLE)) return;
    setTimeout(() => {
      const isLeft = document.activeElement !== target;
      if (isLeft || target.offsetHeight >= window.innerHeight) return;
      target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }, SETTLED_MS);
  });
}
