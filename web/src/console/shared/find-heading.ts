/** Returns an element and everything that it is in, from the inside out. */
export function listAncestors(from: Element | null): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let element = from; element; element = element.parentElement) {
    if (element instanceof HTMLElement) found.push(element);
  }
  return found;
}

/**
 * Returns the heading of the first section or folded part of a path that is still there and has
 * one, or else the page's, and makes it focusable. It stays out of the tab order.
 */
export function findHeading(path: readonly HTMLElement[] = []): HTMLElement | null {
  const sections = path.filter(
    (element) => element.isConnected && element.matches('section, details'),
  );
  const headings = sections.flatMap(
    (section) => section.querySelector<HTMLElement>('h2, h3') ?? [],
  );
  const heading = headings[0] ?? document.querySelector<HTMLElement>('main h1');
  if (heading) heading.tabIndex = -1;
  return heading;
}

/**
 * Focuses the replacement of an element that has gone. The focus is visible for the keyboard; for a
 * mouse the page keeps still.
 */
export function focusInPlace(element: HTMLElement | null | undefined): void {
  element?.focus({ preventScroll: true });
  if (element?.matches(':focus-visible')) element.scrollIntoView({ block: 'nearest' });
}
