import type { ListedLead } from '@site/schema/stored-lead';
import { useEffect, useEffectEvent, useState } from 'react';
import { LIST_ID } from '../shared/page-content.ts';
import type { LiveLeads } from './use-live-leads.ts';

/**
 * Lets new leads enter the list by themselves while its top is on the screen. Elsewhere, and while the operator is in
 * the list with the pointer or the keyboard, nothing may move: then they are counted, until they are asked for.
 * Returns which leads have arrived since the list was opened.
 */
export function useArrivals(list: LiveLeads, of: string): (lead: ListedLead) => boolean {
  const [opened, setOpened] = useState<{ of: string; newestAt: string }>();
  if (list.hasLoaded && opened?.of !== of) {
    // Whatever the list is sorted by.
    const newestAt =
      list.leads
        .map(({ submittedAt }) => submittedAt)
        .toSorted()
        .at(-1) ?? '';
    setOpened({ of, newestAt });
  }

  const enter = useEffectEvent(() => {
    if (list.newer > 0 && isTopUnused()) void list.reload();
  });
  useEffect(() => {
    enter();
    if (list.newer === 0) return undefined;
    const listen = () => enter();
    window.addEventListener('scrollend', listen);
    return () => window.removeEventListener('scrollend', listen);
  }, [list.newer]);
  return ({ submittedAt }) => opened?.of === of && submittedAt > opened.newestAt;
}

function isTopUnused(): boolean {
  const element = document.getElementById(LIST_ID);
  if (!element || element.contains(document.activeElement) || element.matches(':hover'))
    return false;
  const { top } = element.getBoundingClientRect();
  return top >= 0 && top < window.innerHeight;
}
