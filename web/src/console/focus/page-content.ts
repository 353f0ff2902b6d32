import { findHeading } from '../../ui/find-heading.ts';

/** The element of the list of leads, whether it is a table or cards. */
export const LIST_ID = 'leads';

/** Focuses the list of leads, or in another view its heading. */
export function focusContent(): void {
  (document.getElementById(LIST_ID) ?? findHeading())?.focus();
}
