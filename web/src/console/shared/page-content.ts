import { findHeading } from '../../ui/find-heading.ts';

/** The element of the list of leads, whether it is a table or cards. */
export const LIST_ID = 'leads';

/** Scrolls to a section and focuses it. */
export function showSection(id: string): void {
  const section = document.getElementById(id);
  section?.scrollIntoView();
  section?.focus({ preventScroll: true });
}

/** Focuses the list of leads, or in another view its heading. */
export function focusContent(): void {
  (document.getElementById(LIST_ID) ?? findHeading())?.focus();
}

/** Focuses the list of leads if nothing has the focus, or the view's heading in place of what has gone. */
export function focusListIfLost(): void {
  const { activeElement } = document;
  if (activeElement === document.body || activeElement?.matches('h1'))
    document.getElementById(LIST_ID)?.focus({ preventScroll: true });
}
