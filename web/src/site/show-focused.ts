const OPERABLE = 'a, button, input, select, textarea, [tabindex="0"]';
/**
 * By then the browser has scrolled, and the error of the previous field has moved the content
 * below.
 */
const SETTLED_MS = 150;

/**
 * Scrolls a newly focused element fully into view, because browsers do not scroll to a partly
 * visible element. Does nothing while a pointer is down, because the click would end elsewhere.
 */
export function showFocusedElements(): void {
  let isPressed = false;
  document.addEventListener('pointerdown', () => (isPressed = true), true);
  for (const end of ['pointerup', 'pointercancel'])
    document.addEventListener(end, () => (isPressed = false), true);
  document.addEventListener('focusin', ({ target }) => {
    if (isPressed || !(target instanceof HTMLElement) || !target.matches(OPERABLE)) return;
    setTimeout(() => {
      const isLeft = document.activeElement !== target;
      if (isLeft || target.offsetHeight >= window.innerHeight) return;
      target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }, SETTLED_MS);
  });
}
