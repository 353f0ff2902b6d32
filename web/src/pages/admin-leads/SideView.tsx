import { ActivityView } from './ActivityView.tsx';
import { VIEW_NAMES } from './console-params.ts';
import type { ConsoleView } from './console-params.ts';
import type { ListFilter } from './filters/filter-params.ts';
import { FiguresView } from './charts/FiguresView.tsx';
import { MoneyView } from './money/MoneyView.tsx';
import { PeopleView } from './privacy/PeopleView.tsx';
import { RunsView } from './retry/RunsView.tsx';
import type { useRetryRuns } from './retry/use-retry-runs.ts';
import styles from './View.module.css';

type SideViewProps = {
  view: ConsoleView;
  filter: ListFilter;
  runs: ReturnType<typeof useRetryRuns>;
  /** Whose address the privacy desk begins with. */
  person: string;
  onSignedOut: () => void;
  onErased: () => void;
};

/** What stands in the place of the list: loaded only when it is looked at. */
export function SideView({ view, filter, runs, person, onSignedOut, onErased }: SideViewProps) {
  return (
    <div className={styles.view}>
      <h1 className={styles.title}>{VIEW_NAMES[view]}</h1>
      {view === 'figures' && <FiguresView filter={filter} onSignedOut={onSignedOut} />}
      {view === 'money' && <MoneyView onSignedOut={onSignedOut} />}
      {view === 'runs' && <RunsView runs={runs} />}
      {view === 'people' && <PeopleView person={person} onSignedOut={onSignedOut} onErased={onErased} />}
      {view === 'activity' && <ActivityView onSignedOut={onSignedOut} />}
    </div>
  );
}
