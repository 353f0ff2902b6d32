import { useSearchParams } from 'react-router-dom';
import type { ConsoleView } from '../navigation/console-views.ts';
import { stateOf } from './run-labels.ts';
import { useRetryRuns } from './use-retry-runs.ts';

export const ALL_RUNS = { by: '', state: '' };

/** Loads the bulk retries of the operator and in the state that the address names, and can show others. */
export function useShownRuns() {
  const [params, setParams] = useSearchParams();
  const chosen = { by: params.get('by') ?? '', state: params.get('state') ?? '' };
  const { runs, ...rest } = useRetryRuns();
  return {
    ...rest,
    runs,
    shown: runs?.filter(
      (run) =>
        (chosen.by === '' || run.operator === chosen.by) && (chosen.state === '' || stateOf(run) === chosen.state),
    ),
    chosen,
    choose: (change: Partial<typeof chosen>) => {
      const wanted = Object.entries({ view: 'sync' satisfies ConsoleView, ...chosen, ...change }).filter(
        ([, value]) => value !== '',
      );
      setParams(new URLSearchParams(wanted));
    },
  };
}
