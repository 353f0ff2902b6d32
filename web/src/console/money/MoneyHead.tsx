import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { toUrl } from '../../http.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import type { FieldControl } from '../../ui/Field.tsx';
import dialogStyles from '../shared/dialog.module.css';
import { Select } from '../shared/Select.tsx';
import { ViewHead } from '../shared/ViewHead.tsx';
import { useNarrow } from '../shared/use-media.ts';
import { FilterForm, useDateFault } from '../shared/FilterForm.tsx';
import { toSearch } from '../shared/filter-params.ts';
import fields from '../shared/FilterForm.module.css';
import { useFilter } from '../shared/use-filter.ts';
import styles from './Money.module.css';
import { useShownPeople } from './money-people-address.ts';
import { useMoneyPeriod } from './money-period.ts';
import { useMoneyYears, useNothingSold } from './use-money.ts';

/** Says what the view is about, and chooses the year and other dates, or leads back from the people of a figure. */
export function MoneyHead({ title }: { title: string }) {
  const { period, name } = useMoneyPeriod();
  const { showFilter, filter } = useFilter('money');
  const [isOpen, setOpen] = useState(false);
  const isNarrow = useNarrow();
  const isEmpty = useNothingSold();
  const dateFault = useDateFault();
  const isFreeAccess = useSearchParams()[0].get('people') === 'free-access';
  if (useShownPeople() !== undefined || isFreeAccess) {
    const back = (
      <Link className={styles.back} to={{ search: toSearch(period, 'money') }}>
        Back to all figures
      </Link>
    );
    return <ViewHead title={title} range={back} />;
  }
  const others = (
    <FilterForm
      filter={period}
      onApply={({ startDate, endDate }) => showFilter({ startDate, endDate })}
    />
  );
  return (
    <div className={styles.head}>
      <ViewHead
        title={title}
        range={
          dateFault && !isOpen ? (
            <strong className={dialogStyles.fault}>{dateFault}</strong>
          ) : filter.startDate || filter.endDate ? (
            <>
              {name}, as Stripe reports it{' '}
              <Link to={{ search: toSearch({}, 'money') }} onClick={() => setOpen(false)}>
                Clear
              </Link>
            </>
          ) : (
            'what came in by month, as Stripe reports it'
          )
        }
        filters={
          isNarrow && !isEmpty ? (
            <>
              <YearSelect />
              {others}
            </>
          ) : undefined
        }
        actions={
          isNarrow || isEmpty ? undefined : (
            <>
              <YearSelect />
              <Button look="line" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                Other dates…
              </Button>
              <PaymentsCsv />
            </>
          )
        }
      />
      {!isNarrow && isOpen && others}
    </div>
  );
}

/** Downloads the payments of the period. */
export function PaymentsCsv() {
  const { period, name } = useMoneyPeriod();
  if (useNothingSold()) return null;
  const label = `Accountant’s CSV, ${name}`;
  return (
    <ButtonLink look="line" href={toUrl('GET /api/admin/money/payments.csv', { query: period })}>
      {label}
    </ButtonLink>
  );
}

/** Chooses the twelve months of the chart, and the last of them. */
function YearSelect() {
  const { years, year, latest } = useMoneyYears();
  const [params, setParams] = useSearchParams();
  const choose = (value: string) => {
    const next = new URLSearchParams(params);
    if (value === '') next.delete('year');
    else next.set('year', value);
    // The month that was shown is of another year.
    for (const date of ['startDate', 'endDate']) next.delete(date);
    setParams(next);
  };
  const isNarrow = useNarrow();
  const select = (control: FieldControl | { 'aria-label': string }) => (
    <Select
      {...control}
      {...(!isNarrow && { className: styles.chart })}
      value={year ?? ''}
      onChange={(event) => choose(event.target.value)}
    >
      <option value="">{latest}</option>
      {years.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </Select>
  );
  if (!isNarrow) return select({ 'aria-label': 'Chart' });
  return (
    <Field label="Chart" className={fields.field}>
      {select}
    </Field>
  );
}
