/** The element of the list of leads, whether it is a table or cards. */
export const LIST_ID = 'leads';

/** Returns the view's heading and makes it focusable. It stays out of the tab order. */
export function findHeading(): HTMLElement | null {
  const heading = document.querySelector<HTMLElement>('main h1');
  if (heading) heading.tabIndex = -1;
  return heading;
}

/** Focuses the list of leads, or in another view its heading. */
export function focusContent(): void {
  (document.getElementById(LIST_ID) ?? findHeading())?.focus();
}
