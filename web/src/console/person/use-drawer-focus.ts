import { useEffect, useEffectEvent, useRef } from 'react';
import { useFocusReturn } from '../../ui/use-focus-return.ts';
import { toRowId } from '../shared/focus.ts';

/** Focuses the drawer for every lead that it shows. On closing it returns the focus to where it came from, or to the row of another lead that was shown since. */
export function useDrawerFocus(leadId: string | undefined) {
  const content = useRef<HTMLDivElement>(null);
  const shown = useRef<{ last: string | undefined; isOpen: boolean }>({
    last: undefined,
    isOpen: false,
  });
  const focusReturn = useFocusReturn(null, () => {
    const { last } = shown.current;
    return last === undefined ? null : document.getElementById(toRowId(last));
  });
  const handlers = {
    onCloseAutoFocus: focusReturn.onCloseAutoFocus,
    onOpenAutoFocus: (event: Event) => {
      // Otherwise the close button gets the focus, and the Enter that opened the drawer, held or repeated, closes it.
      event.preventDefault();
      focusReturn.onOpenAutoFocus();
      content.current?.focus();
    },
  };

  const follow = useEffectEvent((id: string | undefined) => {
    const { isOpen } = shown.current;
    shown.current = { last: id ?? shown.current.last, isOpen: id !== undefined };
    const drawer = content.current;
    if (!isOpen || id === undefined || !drawer) return;
    const row = document.getElementById(toRowId(id));
    const isFromOutside =
      document.activeElement !== document.body && !drawer.contains(document.activeElement);
    if (isFromOutside) focusReturn.onOpenAutoFocus();
    else if (row) focusReturn.returnTo(row);
    // Of a lead that is known, the form to correct its address has it already.
    if (!drawer.querySelector('form')?.contains(document.activeElement)) drawer.focus();
  });
  useEffect(() => follow(leadId), [leadId]);
  return { ref: content, ...handlers };
}
