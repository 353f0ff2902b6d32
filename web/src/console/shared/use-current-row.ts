import type { ListedLead } from '@site/schema/stored-lead';
import { useEffect, useState } from 'react';
import type { useOpenLead } from '../navigation/open-lead.ts';

const ROW_ID = 'lead-';

export function toRowId(leadId: string): string {
  return `${ROW_ID}${leadId}`;
}

/**
 * Follows the focused row, by its lead rather than its position, so that a refresh does not move it. While a lead is
 * open, moving opens the one after or before it.
 */
export function useCurrentRow(
  leads: readonly ListedLead[],
  { openId, openLead }: Pick<ReturnType<typeof useOpenLead>, 'openId' | 'openLead'>,
) {
  const [currentId, setCurrentId] = useState<string>();
  const indexOf = (id: string | undefined) => leads.findIndex((lead) => lead.id === id);

  useEffect(() => {
    const follow = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest(`[id^="${ROW_ID}"]`) : null;
      if (row) setCurrentId(row.id.slice(ROW_ID.length));
    };
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, []);

  const goTo = ({ id }: ListedLead) => {
    setCurrentId(id);
    const element = document.getElementById(toRowId(id));
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: 'nearest' });
  };
  return {
    current: leads[indexOf(currentId)],
    goTo,
    move: (step: 1 | -1) => {
      const target =
        leads[Math.min(Math.max(indexOf(openId ?? currentId) + step, 0), leads.length - 1)];
      if (target === undefined) return;
      if (openId === undefined) return goTo(target);
      setCurrentId(target.id);
      // The drawer keeps the focus, and one step back in the history closes it.
      openLead(target.id, { replace: true });
      document.getElementById(toRowId(target.id))?.scrollIntoView({ block: 'nearest' });
    },
  };
}
