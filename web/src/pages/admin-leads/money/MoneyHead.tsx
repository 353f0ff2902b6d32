import { useSearchParams } from 'react-router-dom';
import { ViewHead } from '../elements/ViewHead.tsx';
import { DatePresets } from '../filters/DatePresets.tsx';
import { FilterForm } from '../filters/FilterForm.tsx';
import { useShownPeople } from './money-people-address.ts';
import { hasPeriod } from './money-people-labels.ts';
import { MONEY_PRESETS, useMoneyPeriod } from './money-period.ts';

/** Chooses the period of churn, refunds and revenue. Above people of now there is nothing to choose. */
export function MoneyHead({ title }: { title: string }) {
  const { period } = useMoneyPeriod();
  const people = useShownPeople();
  const [params, setParams] = useSearchParams();
  if (people !== undefined && !hasPeriod(people)) return <ViewHead title={title} />;
  return (
    <ViewHead
      title={title}
      presets={<DatePresets filter={period} view="money" more={people && `people=${people}`} presets={MONEY_PRESETS} />}
      filters={
        <FilterForm
          filter={period}
          hasDatesOnly
          onApply={({ startDate = '', endDate = '' }) => {
            const next = new URLSearchParams(params);
            for (const [name, value] of Object.entries({ startDate, endDate })) {
              if (value === '') next.delete(name);
              else next.set(name, value);
            }
            setParams(next);
          }}
        />
      }
    />
  );
}
