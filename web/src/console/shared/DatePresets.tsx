import { londonDate } from '@site/schema/calendar';
import { Link } from 'react-router-dom';
import styles from './DatePresets.module.css';
import type { ConsoleView } from '../navigation/console-views.ts';
import { toSearch } from './filter-params.ts';
import type { ListFilter } from './filter-params.ts';
import { useNow } from './use-now.ts';
import { findPreset, PRESETS, toDates } from './date-presets.ts';
import type { Preset } from './date-presets.ts';

type DatePresetsProps = {
  filter: ListFilter;
  /** Where the links lead, if not to the list. */
  view?: ConsoleView;
  /** More of their query. */
  more?: string | undefined;
  presets?: readonly Preset[];
};

/** Links to the periods that operators ask for most. Each ends today. */
export function DatePresets({ filter, view, more, presets = PRESETS }: DatePresetsProps) {
  const today = londonDate(useNow(false));
  const current = findPreset(filter, today, presets);
  return (
    <nav className={styles.presets} aria-label="Dates">
      {presets.map((preset) => (
        <Link
          key={preset.name}
          to={{
            search: [toSearch({ ...filter, ...toDates(preset, today) }, view), more]
              .filter(Boolean)
              .join('&'),
          }}
          aria-current={preset === current ? 'true' : undefined}
        >
          {preset.name}
        </Link>
      ))}
    </nav>
  );
}
