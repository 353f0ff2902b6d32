import { findHeading } from '../../ui/find-heading.ts';

/** The element of the list of leads. */
export const LIST_ID = 'leads';

export const toRowId = (leadId: string): string => `lead-${leadId}`;

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

/** Focuses the row after or before the one that has the focus, among the rows of an element. */
export function moveToRow(list: Element | null, step: 1 | -1): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>('tbody tr[tabindex]') ?? [])];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[Math.min(Math.max(at + step, 0), rows.length - 1)];
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
}
