/** Returns an element and all its ancestors, from the inside out. */
export function listAncestors(from: Element | null): HTMLElement[] {
  const headings: HTMLElement[] = [];
  for (let element = from; element; element = element.parentElement) {
    if (element instanceof HTMLElement) headings.push(element);
  }
  return headings;
}

/**
 * Returns the heading of the path's first section or folded part that still exists and has a
 * heading, or else the page's. Makes the heading focusable, outside the tab order.
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
 * Focuses the replacement of a removed element. The focus is visible for the keyboard. For a mouse
 * the page does not scroll.
 */
export function focusInPlace(element: HTMLElement | null | undefined): void {
  element?.focus({ preventScroll: true });
  if (element?.matches(':focus-visible')) element.scrollIntoView({ block: 'nearest' });
}
