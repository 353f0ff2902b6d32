import { LoadState } from '../elements/LoadState.tsx';
import { withoutStatus } from '../filters/filter-params.ts';
import { useFilter } from '../filters/use-filter.ts';
import { Figures } from './Figures.tsx';
import { useCharts } from './use-charts.ts';

/** The figures of the leads of a form and a range of dates. */
export function FiguresView() {
  const { filter: given } = useFilter('overview');
  const filter = withoutStatus(given);
  const { data: figures, fault, reload } = useCharts(filter);
  const loadState = <LoadState of="Overview" data={figures} fault={fault} reload={reload} />;
  if (!figures) return loadState;
  return (
    <>
      {loadState}
      <Figures filter={filter} figures={figures} />
    </>
  );
}
