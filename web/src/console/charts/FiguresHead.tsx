import { ViewHead } from '../elements/ViewHead.tsx';
import { DatePresets } from '../filters/DatePresets.tsx';
import { describeFilter } from '../filters/filter-labels.ts';
import { FilterForm } from '../filters/FilterForm.tsx';
import { withoutStatus } from '../filters/filter-params.ts';
import { useFilter } from '../filters/use-filter.ts';

/** Chooses the range of the figures, and the form. */
export function FiguresHead({ title }: { title: string }) {
  const { filter: given, showFilter } = useFilter('overview');
  const filter = withoutStatus(given);
  return (
    <ViewHead
      title={title}
      range={<bdi>{describeFilter(filter)}</bdi>}
      presets={<DatePresets filter={filter} view="overview" />}
      filters={<FilterForm filter={given} onApply={showFilter} />}
    />
  );
}
