const OPERABLE = 'a, button, input, select, textarea, [tabindex="0"]';

/** By then the browser has scrolled, and an error of the previous field has moved what is below it. */
export const SETTLED_MS = 150;

/**
 * Scrolls a newly focused element fully into view. Browsers do not scroll if any part of it is visible. Does nothing
 * while a pointer is down, because the click would end on something else, nor for a button that was pressed, which was
 * in sight: a finger moves the focus only when it is up, and until this scrolls, the press may have moved it far.
 */
export function showFocusedElements(): void {
  let isPressed = false;
  let pressed: EventTarget | null = null;
  document.addEventListener(
    'pointerdown',
    (press) => {
      isPressed = true;
      pressed = press.target;
    },
    true,
  );
  for (const end of ['pointerup', 'pointercancel'])
    document.addEventListener(end, () => (isPressed = false), true);
  for (const end of ['click', 'pointercancel'])
    document.addEventListener(end, () => (pressed = null), true);
  document.addEventListener('focusin', ({ target }) => {
    if (isPressed || !(target instanceof HTMLElement) || !target.matches(OPERABLE)) return;
    if (pressed instanceof Node && target.matches('a, button') && target.contains(pressed)) return;
    setTimeout(() => {
      const isLeft = document.activeElement !== target;
      if (isLeft || target.offsetHeight >= window.innerHeight) return;
      target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }, SETTLED_MS);
  });
}

/** Between a dialog that is moved and the window's upper edge. */
const LEAST_GAP_PX = 12;

let noted: { button: Element; top: number; height: number } | undefined;

const buttonOf = (part: Element | null | undefined) =>
  part?.closest('form')?.querySelector('[type="submit"]');

/**
 * Notes where the button of a form is before something above it changes, as at a press, so that it can be held there.
 * Without a part forgets it.
 */
export function noteButton(part: Element | null): void {
  const button = buttonOf(part);
  noted = button
    ? { button, top: button.getBoundingClientRect().top, height: window.innerHeight }
    : undefined;
}

/** Scrolls a part of a form into view, with its button where it was if there is room for both. */
export function showWithButton(part: Element | null | undefined): void {
  holdButton(part);
  for (const element of [buttonOf(part), part]) element?.scrollIntoView({ block: 'nearest' });
}

/** Puts the button of a form where it was noted, under the finger, unless it was since, or the window has another size. */
export function holdButton(part: Element | null | undefined): void {
  const [button, from] = [buttonOf(part), noted];
  if (!button || from?.button !== button) return;
  noted = undefined;
  if (from.height !== window.innerHeight) return;
  const moved = () => button.getBoundingClientRect().top - from.top;
  const dialog = button.closest<HTMLElement>('[role="dialog"]');
  const layer = dialog?.parentElement ?? document.documentElement;
  if (!dialog || dialog.offsetHeight > layer.clientHeight) return layer.scrollBy(0, moved());
  // A dialog that fits is moved itself, within the window, and back.
  const room = Math.max(0, dialog.getBoundingClientRect().top - LEAST_GAP_PX);
  dialog.style.top = `${Math.min(0, (parseFloat(dialog.style.top) || 0) - Math.min(moved(), room))}px`;
  // A smaller window would cut off its head.
  window.addEventListener('resize', () => dialog.style.removeProperty('top'), { once: true });
}
