import type { Lead } from '@site/schema/lead';
import { useEffect, useState } from 'react';

const ROW_ID = 'lead-';

/** Returns the element id of a lead's row. */
export function toRowId(leadId: string): string {
  return `${ROW_ID}${leadId}`;
}

/** Follows the focused row, by its lead rather than its position, so that a refresh does not move it. */
export function useCurrentRow(leads: readonly Lead[]) {
  const [currentId, setCurrentId] = useState<string>();
  const index = leads.findIndex((lead) => lead.id === currentId);

  useEffect(() => {
    const follow = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest(`[id^="${ROW_ID}"]`) : null;
      if (row) setCurrentId(row.id.slice(ROW_ID.length));
    };
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, []);

  const goTo = ({ id }: Lead) => {
    setCurrentId(id);
    const element = document.getElementById(toRowId(id));
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: 'nearest' });
  };
  return {
    current: leads[index],
    goTo,
    move: (step: 1 | -1) => {
      const target = leads[Math.min(Math.max(index + step, 0), leads.length - 1)];
      if (target) goTo(target);
    },
  };
}
