import { useNarrow } from '../elements/use-media.ts';
import { LoadState } from '../elements/LoadState.tsx';
import { DatePresets } from '../filters/DatePresets.tsx';
import { describeFilter } from '../filters/filter-labels.ts';
import { FilterForm } from '../filters/FilterForm.tsx';
import { withoutStatus } from '../filters/filter-params.ts';
import { useFilter } from '../filters/use-filter.ts';
import { Figures } from './Figures.tsx';
import styles from './FiguresView.module.css';
import { useCharts } from './use-charts.ts';

/** The figures of the leads of a form and a range of dates. */
export function FiguresView() {
  const { filter: given, showFilter } = useFilter('figures');
  const isNarrow = useNarrow();
  const filter = withoutStatus(given);
  const { data: figures, fault, reload } = useCharts(filter);
  const form = <FilterForm filter={given} onApply={showFilter} />;
  return (
    <>
      <div className={styles.range}>
        <DatePresets filter={filter} view="figures" />
        {isNarrow ? (
          <details>
            <summary>Other dates, or one form</summary>
            {form}
          </details>
        ) : (
          form
        )}
        <p className={styles.quiet}>
          <bdi>{describeFilter(filter)}</bdi>
        </p>
      </div>
      {!figures || fault !== undefined ? (
        <LoadState of="figures" fault={fault} onTryAgain={reload} />
      ) : (
        <Figures filter={filter} figures={figures} />
      )}
    </>
  );
}
