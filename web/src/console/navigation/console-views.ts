import { useSearchParams } from 'react-router-dom';

/** The views beside the list of leads, as `?view=` names them. */
export const CONSOLE_VIEWS = ['overview', 'money', 'people', 'sync', 'activity'] as const;
/** A person is reached from People, the operator's own account by their name, and the last by a mistyped address. */
const OTHER_VIEWS = ['person', 'account', 'unknown'] as const;
export type ConsoleView = (typeof CONSOLE_VIEWS | typeof OTHER_VIEWS)[number];

/** The query of the view in which the receipts of erasures are. */
export const RECEIPTS = 'view=activity&action=erase-person';

/** The section of Money with the links and emails for abandoned checkouts. */
export const ABANDONED = 'abandoned';

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

/** Returns the view that the address names, or undefined for the list of leads. */
export function useView(): ConsoleView | undefined {
  const [params] = useSearchParams();
  const name = params.get('view');
  return (
    [...CONSOLE_VIEWS, ...OTHER_VIEWS].find((view) => view === name) ??
    (name ? 'unknown' : undefined)
  );
}
