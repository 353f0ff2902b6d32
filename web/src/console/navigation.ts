import type { PeopleList } from '@site/schema/person-state';
import { createContext } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Location } from 'react-router-dom';

/** The views beside the list of leads, as named in `?view=`. */
export const CONSOLE_VIEWS = ['overview', 'money', 'people', 'sync', 'activity'] as const;
/** People opens a person, the operator's name the account, and a mistyped URL the last. */
const OTHER_VIEWS = ['person', 'account', 'unknown'] as const;
export type ConsoleView = (typeof CONSOLE_VIEWS | typeof OTHER_VIEWS)[number];

/** The query of the view with the receipts of erasures. */
export const RECEIPTS = 'view=activity&action=erase-person';

export const VIEW_NAMES: Record<ConsoleView, string> = {
  overview: 'Overview',
  money: 'Money',
  people: 'People',
  sync: 'Sync',
  activity: 'Activity',
  person: 'Person',
  account: 'Your account',
  unknown: 'Not found',
};

/** The operator's place before a person's page. */
export const CameFrom = createContext<(Location & { name: string }) | undefined>(undefined);

/** Returns the view that the URL names, or undefined for the list of leads. */
export function useView(): ConsoleView | undefined {
  const [params] = useSearchParams();
  const name = params.get('view');
  return (
    [...CONSOLE_VIEWS, ...OTHER_VIEWS].find((view) => view === name) ??
    (name ? 'unknown' : undefined)
  );
}

/**
 * Returns the lead of the open panel, which is part of the URL, and functions to open another lead
 * or none.
 */
export function useOpenLead() {
  const [params, setParams] = useSearchParams();
  const withLead = (wanted: string | undefined) => {
    const next = new URLSearchParams(params);
    if (wanted === undefined) next.delete('lead');
    else next.set('lead', wanted);
    return next.toString();
  };
  return {
    openId: params.get('lead') || undefined,
    openLead: (wanted: string, how?: { replace?: boolean }) => setParams(withLead(wanted), how),
    closeLead: () => setParams(withLead(undefined)),
    /** The query of a link that opens a lead beside the current view. */
    linkTo: withLead,
  };
}

/** Returns the query of a list of people. */
export const toPeopleList = (state: PeopleList | undefined) =>
  `view=people${state === undefined ? '' : `&state=${state}`}`;

/** Returns the query of a person's page. Any lead with their email opens it. */
export const toPerson = (leadId: string) => `view=person&id=${leadId}`;
