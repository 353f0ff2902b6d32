import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { LinkButton } from '../elements/LinkButton.tsx';
import { DatePresets } from '../filters/DatePresets.tsx';
import { FilterForm } from '../filters/FilterForm.tsx';
import styles from './Money.module.css';
import { toPeoplePart, useShownPeople } from './money-people-address.ts';
import { MONEY_PRESETS, useMoneyPeriod } from './money-period.ts';

/** Chooses the period of churn, refunds and revenue, beside the heading of what it governs. */
export function MoneyPeriod() {
  const { period, isPreset } = useMoneyPeriod();
  const people = useShownPeople();
  const [params, setParams] = useSearchParams();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.period}>
      <DatePresets filter={period} view="money" more={people && toPeoplePart(people)} presets={MONEY_PRESETS} />
      <LinkButton
        className={styles.other}
        aria-expanded={isOpen}
        aria-current={isPreset ? undefined : 'true'}
        onClick={() => setOpen(!isOpen)}
      >
        Other dates
      </LinkButton>
      {isOpen && (
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
      )}
    </div>
  );
}
