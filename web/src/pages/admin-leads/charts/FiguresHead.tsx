import { useNarrow } from '../elements/use-media.ts';
import { DatePresets } from '../filters/DatePresets.tsx';
import { describeFilter } from '../filters/filter-labels.ts';
import { FilterForm } from '../filters/FilterForm.tsx';
import { withoutStatus } from '../filters/filter-params.ts';
import { useFilter } from '../filters/use-filter.ts';
import styles from './FiguresView.module.css';

/** Chooses the range of the figures, and the form. */
export function FiguresHead() {
  const { filter, showFilter } = useFilter('figures');
  const isNarrow = useNarrow();
  const form = <FilterForm filter={filter} onApply={showFilter} />;
  return (
    <div className={styles.range}>
      <p className={styles.quiet}>
        <bdi>{describeFilter(withoutStatus(filter))}</bdi>
      </p>
      <DatePresets filter={withoutStatus(filter)} view="figures" />
      {isNarrow ? (
        <details>
          <summary>Other dates, or one form</summary>
          {form}
        </details>
      ) : (
        form
      )}
    </div>
  );
}
