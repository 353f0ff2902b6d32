import { londonDate } from '@site/schema/calendar';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { Loading, LoadState } from '../shared/LoadState.tsx';
import { SectionHead } from '../shared/SectionHead.tsx';
import { useNarrow } from '../shared/use-media.ts';
import { toSearch } from '../shared/filter-params.ts';
import { Comparison } from '../comparison/Comparison.tsx';
import { useNow } from '../shared/use-now.ts';
import { AbandonedCheckouts } from './AbandonedCheckouts.tsx';
import { ComplimentaryAccess } from './ComplimentaryAccess.tsx';
import { InvoicePage } from './InvoicePage.tsx';
import styles from './Money.module.css';
import { PaymentsCsv } from './MoneyHead.tsx';
import { MoneyPeopleList } from './MoneyPeopleList.tsx';
import { useShownPeople } from './money-people-address.ts';
import { addMonths, nameMonth, useChosenYear, useMoneyPeriod, wholeMonth } from './money-period.ts';
import { MonthOutcomes } from './MonthOutcomes.tsx';
import { MonthFigures, MonthsTable, useMonthList } from './MonthsTable.tsx';
import { ExpectedSum, MonthSum, sumUpExpected } from './MonthSum.tsx';
import { PayersNow } from './PayersNow.tsx';
import { moneyIn, useMoney, useMoneyFigures, useMoneyYears, useNothingSold } from './use-money.ts';

/** What came in by month and who pays, or the rows of a figure, or what a row of the payments CSV links to. */
export function MoneyView() {
  const people = useShownPeople();
  const now = useNow(false);
  const [params] = useSearchParams();
  const invoiceId = params.get('invoice');
  const isFreeAccess = params.get('people') === 'free-access';
  if (invoiceId !== null) return <InvoicePage id={invoiceId} />;
  if (isFreeAccess) return <ComplimentaryAccess now={now} />;
  return people === undefined ? (
    <AllMoney now={now} />
  ) : (
    <MoneyPeopleList key={JSON.stringify(people)} {...people} />
  );
}

function AllMoney({ now }: { now: Date }) {
  const period = useMoneyPeriod();
  const { month, isPast } = period;
  const thisMonth = londonDate(now).slice(0, 7);
  const { money, fault, reload } = useMoney();
  const { months, since, fault: monthsFault, reload: reloadMonths } = useMoneyYears();
  const current = useMoneyFigures(wholeMonth(thisMonth));
  const [first, ...others] = period.columns;
  // A month of which nothing is known is none to compare with.
  const unknown = months?.filter((each) => moneyIn(each) === null).map((each) => each.month) ?? [];
  const columns: typeof period.columns = [
    first,
    ...others.filter((other) => !unknown.includes(other.period.startDate?.slice(0, 7) ?? '')),
  ];
  const isUnknown = month !== undefined && unknown.includes(month);
  const loading = [
    useMoneyFigures(columns[0].period),
    useMoneyFigures(columns[1]?.period),
    useMoneyFigures(columns[2]?.period),
  ];
  // Nor is one that cannot be loaded now.
  const isShown = (n: number) =>
    n === 0 || loading[n]?.data !== undefined || loading[n]?.fault === undefined;
  const shown = { ...period, columns: columns.filter((_, n) => isShown(n)) as typeof columns };
  const answers = loading.map(({ data }) => data).filter((_, n) => isShown(n));
  const [figures] = answers;
  const isNarrow = useNarrow();
  const isList = useMonthList();
  const chosen = months?.find((each) => each.month === month);
  const failure = fault ?? monthsFault ?? loading[0]?.fault;
  const isLatest = months?.at(-1)?.month === thisMonth;
  const isEmpty = useNothingSold();
  const outcomes = money && !isEmpty && (
    <MonthOutcomes figures={figures?.figures} dashboardUrl={money.dashboardUrl} />
  );
  const title = shown.name.replace(/^\w/u, (letter) => letter.toUpperCase());
  const [isLoading, setLoading] = useState(true);
  // Together at first: what comes later would move what is being read.
  if (isLoading) {
    const isThere = money && months && columns.every((_, n) => answers[n]);
    if (isThere ?? failure !== undefined) setLoading(false);
    return (
      <div className={styles.money} aria-busy="true">
        <Loading of="Money" />
      </div>
    );
  }
  return (
    <div className={styles.money}>
      <LoadState
        of={failure !== undefined && (months ?? figures) ? 'all of Money' : 'Money'}
        data={months && figures && money}
        fault={failure}
        reload={() => Promise.all([reload(), reloadMonths()])}
      />
      {isEmpty ? (
        <p>
          No subscriptions yet. Figures appear here with the first one. See{' '}
          <Link to="/admin-leads">what is left to set up</Link>, or give{' '}
          <Link to={{ search: 'view=money&people=free-access' }}>free access</Link>.
        </p>
      ) : (
        <>
          <section aria-label="Money by month">
            {months && (
              <MonthsTable
                months={months}
                expectedPence={
                  isLatest && current.data ? sumUpExpected(current.data.figures) : undefined
                }
              />
            )}
            {!isList && months?.some(({ payers }) => payers === null) && (
              <p className={styles.note}>
                ? is not known:{' '}
                {since === null
                  ? `nothing was recorded before ${nameMonth(thisMonth, 'long')}`
                  : `recorded since ${nameMonth(since, 'long')} ${since.slice(0, 4)}`}
                .
              </p>
            )}
          </section>
          {(figures ?? failure === undefined) && (
            <div className={styles.halves}>
              <section aria-label={title} className={styles.month}>
                <SectionHead title={title} aside={shown.progress}>
                  {month !== undefined && (
                    <span className={styles.otherMonths}>
                      {!unknown.includes(addMonths(month, -1)) && (
                        <OtherMonth to={addMonths(month, -1)} />
                      )}
                      {month < thisMonth && <OtherMonth to={addMonths(month, 1)} isNext />}
                    </span>
                  )}
                </SectionHead>
                {isUnknown ? (
                  <p>Not known: nothing was recorded in {title}.</p>
                ) : (
                  <div className={styles.sums}>
                    <MonthSum shown={shown} answers={answers} />
                    {isList && chosen && <MonthFigures month={chosen} />}
                    {shown.isCurrent && figures && (
                      <ExpectedSum shown={shown} figures={figures.figures} />
                    )}
                    {money && !isPast && (
                      <PayersNow money={money} paused={figures?.figures.paused} />
                    )}
                  </div>
                )}
                {isNarrow && <PaymentsCsv />}
              </section>
              {isPast && !isUnknown && outcomes}
            </div>
          )}
        </>
      )}
      {money && !isUnknown && (
        <>
          <AbandonedCheckouts dashboardUrl={money.dashboardUrl} now={now} />
          {!isPast && outcomes}
          {!isPast && <Comparison dashboardUrl={money.dashboardUrl} now={now} />}
        </>
      )}
    </div>
  );
}

function OtherMonth({ to, isNext = false }: { to: string; isNext?: boolean }) {
  const name = nameMonth(to, 'long');
  const year = useChosenYear();
  const search = `${toSearch(wholeMonth(to), 'money')}${year && to.startsWith(`${year}`) ? `&year=${year}` : ''}`;
  return <Link to={{ search }}>{isNext ? `${name} ›` : `‹ ${name}`}</Link>;
}
