import { useEffect, useEffectEvent, useRef } from 'react';
import { useFocusReturn } from '../../../ui/use-focus-return.ts';
import { toRowId } from '../keyboard/use-current-row.ts';

/** The focus goes into the drawer with every lead that it shows, and back to where the last one was opened from. */
export function useDrawerFocus(leadId: string | undefined) {
  const content = useRef<HTMLDivElement>(null);
  const shown = useRef<{ last: string | undefined; isOpen: boolean }>({ last: undefined, isOpen: false });
  const handlers = useFocusReturn(null, () => {
    const { last } = shown.current;
    return last === undefined ? null : document.getElementById(toRowId(last));
  });

  const follow = useEffectEvent((id: string | undefined) => {
    const { isOpen } = shown.current;
    shown.current = { last: id ?? shown.current.last, isOpen: id !== undefined };
    const drawer = content.current;
    if (!isOpen || id === undefined || !drawer) return;
    // A lead that is opened from within, by a mention of it, leads back to where the first one came from.
    const isFromOutside = document.activeElement !== document.body && !drawer.contains(document.activeElement);
    if (isFromOutside) handlers.onOpenAutoFocus();
    drawer.focus();
  });
  useEffect(() => follow(leadId), [leadId]);
  return { ref: content, ...handlers };
}
