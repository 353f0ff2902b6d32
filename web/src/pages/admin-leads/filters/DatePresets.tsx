import { londonDate } from '@site/schema/calendar';
import { Link } from 'react-router-dom';
import styles from './DatePresets.module.css';
import type { ConsoleView } from '../navigation/console-views.ts';
import { toSearch } from './filter-params.ts';
import type { ListFilter } from './filter-params.ts';
import { useNow } from '../time/use-now.ts';
import { findPreset, PRESETS, toDates } from './date-presets.ts';

type DatePresetsProps = {
  filter: ListFilter;
  /** Where the links lead, if not to the list. */
  view?: ConsoleView;
  onChoose?: () => void;
};

/** Links to the periods that operators ask for most. Each ends today. */
export function DatePresets({ filter, view, onChoose }: DatePresetsProps) {
  const today = londonDate(useNow(false));
  const current = findPreset(filter, today);
  return (
    <nav className={styles.presets} aria-label="Dates">
      {PRESETS.map((preset) => (
        <Link
          key={preset.name}
          to={{ search: toSearch({ ...filter, ...toDates(preset, today) }, view) }}
          aria-current={preset === current ? 'true' : undefined}
          onClick={onChoose}
        >
          {preset.name}
        </Link>
      ))}
    </nav>
  );
}
