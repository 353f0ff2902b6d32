import { useSearchParams } from 'react-router-dom';

/** The views beside the list of leads, as `?view=` names them. */
export const CONSOLE_VIEWS = ['figures', 'money', 'runs', 'people', 'activity'] as const;
export type ConsoleView = (typeof CONSOLE_VIEWS)[number];

export const VIEW_NAMES: Record<ConsoleView, string> = {
  figures: 'Figures',
  money: 'Money',
  runs: 'Retry runs',
  people: 'Privacy',
  activity: 'Activity',
};

/** Returns the view that the address names, or undefined for the list of leads. */
export function useView(): ConsoleView | undefined {
  const [params] = useSearchParams();
  return CONSOLE_VIEWS.find((view) => view === params.get('view'));
}
