import { useEffect, useEffectEvent, useRef } from 'react';
import { useFocusReturn } from '../../ui/use-focus-return.ts';
import { toRowId } from '../keyboard/use-current-row.ts';

/** Focuses the drawer for every lead that it shows, and on closing returns the focus to where it came from. */
export function useDrawerFocus(leadId: string | undefined) {
  const content = useRef<HTMLDivElement>(null);
  const shown = useRef<{ last: string | undefined; isOpen: boolean }>({ last: undefined, isOpen: false });
  const focusReturn = useFocusReturn(null, () => {
    const { last } = shown.current;
    return last === undefined ? null : document.getElementById(toRowId(last));
  });
  const handlers = {
    ...focusReturn,
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
    // A lead opened from inside the drawer does not change where the focus returns to.
    const isFromOutside = document.activeElement !== document.body && !drawer.contains(document.activeElement);
    if (isFromOutside) focusReturn.onOpenAutoFocus();
    drawer.focus();
  });
  useEffect(() => follow(leadId), [leadId]);
  return { ref: content, ...handlers };
}
