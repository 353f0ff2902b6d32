import type { MouseEvent } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

const LEAD_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

const NOBODYS_ID = '00000000-0000-4000-8000-000000000000';

/** The lead whose drawer is open, which is part of the address, and ways to open another or none. */
export function useOpenLead() {
  const [params, setParams] = useSearchParams();
  const state = useLocation().state as { correcting?: string } | null;
  const id = params.get('lead') ?? '';
  const withLead = (wanted: string | undefined) => {
    const next = new URLSearchParams(params);
    if (wanted === undefined) next.delete('lead');
    else next.set('lead', wanted);
    return next.toString();
  };
  return {
    // A mistyped id opens a drawer that shows that its lead is not stored.
    openId: id === '' || LEAD_ID.test(id) ? id || undefined : NOBODYS_ID,
    openLead: (wanted: string, how?: { replace?: boolean }) => setParams(withLead(wanted), how),
    /** Opens a lead with the question for its correct address. */
    openCorrection: (wanted: string) =>
      setParams(withLead(wanted), { state: { correcting: wanted } }),
    isCorrecting: (lead: string) => state?.correcting === lead,
    closeLead: () => setParams(withLead(undefined)),
    /** The query of a link that opens a lead beside what is shown. */
    linkTo: (wanted: string) => withLead(wanted),
  };
}

/**
 * Opens a lead, if there is one, at a click anywhere in its row, except on a link or button in it, or where text is
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
