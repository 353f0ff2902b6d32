/** The element of the list, whether it is a table or cards. */
export const LIST_ID = 'leads';

/** The heading of what is shown, made ready to take the focus; the tab key still passes it. */
export function findHeading(): HTMLElement | null {
  const heading = document.querySelector<HTMLElement>('main h1');
  if (heading) heading.tabIndex = -1;
  return heading;
}

/** Puts the focus on what there is to read: the list, or in another view its heading. */
export function goToContent(): void {
  (document.getElementById(LIST_ID) ?? findHeading())?.focus();
}
