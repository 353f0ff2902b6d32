const DOUBLE_PRESS_MS = 500;

/** Keeps what has opened under the pointer from the second press of a double one that opened it. */
export function swallowSecondPress(opened: HTMLElement | null): void {
  const openedAt = performance.now();
  const swallow = (event: MouseEvent) => {
    if (event.detail < 2 || event.timeStamp - openedAt > DOUBLE_PRESS_MS) return;
    event.preventDefault();
    event.stopPropagation();
  };
  for (const press of ['mousedown', 'click'] as const) opened?.addEventListener(press, swallow, true);
}
