const DOUBLE_PRESS_MS = 500;

/**
 * Keeps what has opened under the pointer from the second press of a double one that opened it. `place`: where what was
 * pressed is, if also a press that is too slow for a double tap is one.
 */
export function swallowSecondPress(opened: HTMLElement | null, place?: DOMRect): void {
  const openedAt = performance.now();
  const swallow = (event: MouseEvent) => {
    const isSecond = place ? event.detail > 0 && isWithin(place, event) : event.detail > 1;
    if (!isSecond || event.timeStamp - openedAt > DOUBLE_PRESS_MS) return;
    event.preventDefault();
    event.stopPropagation();
  };
  for (const press of ['mousedown', 'click'] as const)
    opened?.addEventListener(press, swallow, true);
}

const isWithin = ({ left, right, top, bottom }: DOMRect, { clientX: x, clientY: y }: MouseEvent) =>
  x >= left && x <= right && y >= top && y <= bottom;
