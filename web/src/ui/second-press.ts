const DOUBLE_PRESS_MS = 500;
/** Nobody has read by then what has opened. */
const UNREAD_MS = 300;

/**
 * Keeps what has opened under the pointer from the second press of a double one that opened it. With a `least` of 1, also
 * from one that is too slow for a double tap.
 */
export function swallowSecondPress(opened: HTMLElement | null, least = 2): void {
  const openedAt = performance.now();
  const swallow = (event: MouseEvent) => {
    const withinMs = event.detail > 1 ? DOUBLE_PRESS_MS : UNREAD_MS;
    if (event.detail < least || event.timeStamp - openedAt > withinMs) return;
    event.preventDefault();
    event.stopPropagation();
  };
  for (const press of ['mousedown', 'click'] as const) opened?.addEventListener(press, swallow, true);
}
