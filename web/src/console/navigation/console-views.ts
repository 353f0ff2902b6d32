import { useSearchParams } from 'react-router-dom';

/** The views beside the list of leads, as `?view=` names them. */
export const CONSOLE_VIEWS = ['figures', 'money', 'runs', 'people', 'activity'] as const;
/** The operator's own account is reached by their name. */
export type ConsoleView = (typeof CONSOLE_VIEWS)[number] | 'account';

export const VIEW_NAMES: Record<ConsoleView, string> = {
  figures: 'Figures',
  money: 'Money',
  runs: 'Retry runs',
  people: 'Privacy',
  activity: 'Activity',
  account: 'Your account',
};

/** Returns the view that the address names, or undefined for the list of leads. */
export function useView(): ConsoleView | undefined {
  const [params] = useSearchParams();
  return ([...CONSOLE_VIEWS, 'account'] as const).find((view) => view === params.get('view'));
}
