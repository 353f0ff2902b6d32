import { LoadState } from '../elements/LoadState.tsx';
import { describeFilter } from '../filters/filter-labels.ts';
import { withoutStatus } from '../filters/filter-params.ts';
import { useFilter } from '../filters/use-filter.ts';
import { Figures } from './Figures.tsx';
import styles from './FiguresView.module.css';
import { useCharts } from './use-charts.ts';

/** The figures of the leads of a form and a range of dates. */
export function FiguresView() {
  const { filter: given } = useFilter('figures');
  const filter = withoutStatus(given);
  const { data: figures, fault, reload } = useCharts(filter);
  return (
    <>
      <p className={styles.quiet}>
        <bdi>{describeFilter(filter)}</bdi>
      </p>
      {!figures || fault !== undefined ? (
        <LoadState of="figures" fault={fault} onTryAgain={reload} />
      ) : (
        <Figures filter={filter} figures={figures} />
      )}
    </>
  );
}
