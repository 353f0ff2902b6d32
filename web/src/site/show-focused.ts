const OPERABLE = 'a, button, input, select, textarea, [tabindex="0"]';

/** By then the browser has scrolled, and an error of the previous field has moved what is below it. */
export const SETTLED_MS = 150;

/**
 * Scrolls a newly focused element fully into view. Browsers do not scroll if any part of it is visible. Does nothing
 * while a pointer is down, because the click would end on something else.
 */
export function showFocusedElements(): void {
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

/** Scrolls a part of a form into view, and its button too if there is room for both: what is said has moved it. */
export function showWithButton(part: Element | null | undefined): void {
  const button = part?.closest('form')?.querySelector('[type="submit"]');
  for (const element of [button, part]) element?.scrollIntoView({ block: 'nearest' });
}
