import type { ChartsAnswer } from '@site/schema/calls/charts';
import { formatCount } from '../elements/format-count.ts';
import { FigureRow } from '../elements/FigureRow.tsx';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';

type KeyFiguresProps = { filter: ListFilter; figures: ChartsAnswer };

/** How leads become payers, each a link to them. */
export function KeyFigures({ filter, figures: { funnel } }: KeyFiguresProps) {
  const { leads, trials, payers } = funnel;
  return (
    <FigureRow
      name="Conversion"
      figures={[
        {
          name: 'Leads',
          value: formatCount(leads),
          note: 'from a form',
          to: leads === 0 ? undefined : toQuery(filter),
        },
        {
          name: 'Began a trial',
          value: formatCount(trials),
          note: describeShare(trials, leads, 'leads'),
          to: trials === 0 ? undefined : toQuery({ ...filter, stage: 'any' }),
        },
        {
          name: 'Became payers',
          value: formatCount(payers),
          note: describeShare(payers, trials, 'trials'),
          to: payers === 0 ? undefined : toQuery({ ...filter, stage: 'paid' }),
        },
      ]}
    />
  );
}

function describeShare(part: number, whole: number, of: string): string {
  if (whole === 0) return `no ${of} yet`;
  return `${((part / whole) * 100).toLocaleString('en-GB', { maximumFractionDigits: 1 })}% of ${of}`;
}
