import { LoadState } from '../elements/LoadState.tsx';
import { withoutStatus } from '../filters/filter-params.ts';
import { useFilter } from '../filters/use-filter.ts';
import { Figures } from './Figures.tsx';
import { useCharts } from './use-charts.ts';

/** The figures of the leads of a form and a range of dates. */
export function FiguresView() {
  const { filter: given } = useFilter('figures');
  const filter = withoutStatus(given);
  const { data: figures, fault, reload } = useCharts(filter);
  const loadState = <LoadState of="Figures" fault={fault} hasLast={figures !== undefined} onTryAgain={reload} />;
  if (!figures) return loadState;
  return (
    <>
      {fault !== undefined && loadState}
      <Figures filter={filter} figures={figures} />
    </>
  );
}
