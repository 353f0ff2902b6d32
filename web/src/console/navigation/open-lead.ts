import type { MouseEvent } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

const LEAD_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

const NOBODYS_ID = '00000000-0000-4000-8000-000000000000';

/** The leads of a list whose addresses are invalid, which may have more that are not loaded. */
export type InvalidLeads = { ids: readonly string[]; hasMore: boolean };

/** The lead whose drawer is open, which is part of the address, and ways to open another or none. */
export function useOpenLead() {
  const [params, setParams] = useSearchParams();
  const id = params.get('lead') ?? '';
  const withLead = (wanted: string | undefined) => {
    const next = new URLSearchParams(params);
    if (wanted === undefined) next.delete('lead');
    else next.set('lead', wanted);
    return next.toString();
  };
  return {
    // Says of a mistyped id that its lead is not stored.
    openId: id === '' || LEAD_ID.test(id) ? id || undefined : NOBODYS_ID,
    openLead: (wanted: string, how?: { replace?: boolean; state?: unknown }) =>
      setParams(withLead(wanted), how),
    closeLead: () => setParams(withLead(undefined)),
    /** The query of a link that opens a lead beside what is shown. */
    linkTo: (wanted: string) => withLead(wanted),
  };
}

/**
 * Opens a lead, if there is one, at a click anywhere in its row or card, except on a link or button in it, or where text is
 * selected.
 */
export function useOpenOnClick(leadId: string | null) {
  const { openLead } = useOpenLead();
  return (event: MouseEvent<HTMLElement>) => {
    const isOwnTarget =
      event.target instanceof Element && event.target.closest('a, button, input, label') !== null;
    if (leadId !== null && !isOwnTarget && !window.getSelection()?.toString()) openLead(leadId);
  };
}

/**
 * Opens a lead with the field for its correct address, or the copy that a correction made, and tells which was opened so.
 * `done` has the leads that were corrected or skipped one after the other, and their copies.
 */
export function useCorrection() {
  const { openLead } = useOpenLead();
  const state = useLocation().state as {
    correcting?: string;
    corrected?: string;
    done?: string[];
  } | null;
  const done = state?.done ?? [];
  return {
    /** `after`: the lead before it in a series. */
    openCorrection: (id: string, after?: string) =>
      openLead(id, {
        state: { correcting: id, ...(after !== undefined && { done: [...done, after] }) },
      }),
    openSeries: (first: string) => openLead(first, { state: { correcting: first, done: [] } }),
    /** One after the other, so that one can be passed over. */
    isSeries: state?.done !== undefined,
    openCorrected: (id: string, from: string) =>
      openLead(id, { state: { corrected: id, done: [...done, from, id] } }),
    isCorrecting: (id: string) => state?.correcting === id,
    isCorrected: (id: string) => state?.corrected === id,
    done,
    /** Those of a list of invalid addresses that come after a lead. A copy that is refused too does not. */
    leftAfter: (id: string, { ids }: InvalidLeads) =>
      ids.filter((other) => other !== id && !done.includes(other)),
  };
}
