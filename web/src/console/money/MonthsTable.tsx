import type { MoneyMonth } from '@site/schema/calls/money-history';
import { londonDate } from '@site/schema/calendar';
import { formatPence } from '@site/schema/offer';
import { useState } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { LinkButton } from '../shared/LinkButton.tsx';
import { formatCount } from '../shared/format-count.ts';
import { SectionHead } from '../shared/SectionHead.tsx';
import { useWidthBelow } from '../shared/use-media.ts';
import money from './Money.module.css';
import { nameMonth, useMoneyPeriod, wholeMonth } from './money-period.ts';
import styles from './MonthsTable.module.css';
import { moneyIn } from './use-money.ts';
import { useNow } from '../shared/use-now.ts';

type MonthsTableProps = {
  months: MoneyMonth[];
  /** What this month will have brought in at its end. */
  expectedPence: number | undefined;
};

const pounds = (pence: number) => formatCount(Math.round(pence / 100));
/** The rows below the bars, each with what it is of a month. */
const ROWS: [
  name: string,
  of: (month: MoneyMonth) => number | null,
  show: (value: number) => string,
][] = [
  ['Money in, £', moneyIn, pounds],
  ['MRR, £', ({ mrrPence }) => mrrPence, pounds],
  ['New payers', ({ newPayers }) => newPayers, (count) => (count === 0 ? '–' : formatCount(count))],
  ['Cancellations', ({ churned }) => churned, (count) => (count === 0 ? '–' : formatCount(count))],
  ['Payers at the end', ({ payers }) => payers, formatCount],
];
/** On a phone, the bars and "Came and left" say the rest. */
const ON_PHONE = ['MRR, £', 'Payers at the end'];
/** On a phone, older months are shown when asked for. */
const SHOWN_FIRST = 6;
const BAR_HEIGHT = 144;

/** Tells whether the months are a list, because a table of twelve has no room. */
export const useMonthList = () => useWidthBelow('47.9375em');

/** The months as bars over their figures. Each month is a link that shows it below. */
export function MonthsTable({ months, expectedPence }: MonthsTableProps) {
  const isList = useMonthList();
  const { month: chosen } = useMoneyPeriod();
  const most = Math.max(1, expectedPence ?? 0, ...months.map((month) => moneyIn(month) ?? 0));
  const share = (pence: number | null) => `${(Math.max(0, pence ?? 0) / most) * 100}%`;
  const last = months.at(-1)?.month;
  const expectedOf = ({ month }: MoneyMonth) => (month === last ? expectedPence : undefined);
  const bar = (month: MoneyMonth) => {
    const expected = expectedOf(month);
    const shares = { '--share': share(moneyIn(month)), '--expected': share(expected ?? 0) };
    return (
      <div
        className={styles.bar}
        style={shares as CSSProperties}
        data-expected={expected !== undefined || undefined}
      >
        {expected !== undefined && (
          <span>{formatPence(Math.round(expected / 100) * 100)} expected</span>
        )}
      </div>
    );
  };
  if (isList) return <MonthList months={months} bar={bar} />;
  const step = toStep(most / 100);
  const lines = Array.from({ length: Math.floor(most / 100 / step) }, (_, n) => (n + 1) * step);
  const barHeight = most === 1 ? 0 : BAR_HEIGHT;
  const height = {
    '--height': `${barHeight}px`,
    '--step': `${((step * 100) / most) * barHeight}px`,
  };
  return (
    <table className={styles.months} aria-label="Money by month" style={height as CSSProperties}>
      <thead>
        <tr className={styles.bars} aria-hidden="true">
          <td>
            {lines.map((line) => (
              <span key={line} style={{ bottom: `${((line * 100) / most) * barHeight}px` }}>
                £{formatCount(line)}
              </span>
            ))}
          </td>
          {months.map((month) => (
            <td key={month.month}>{bar(month)}</td>
          ))}
        </tr>
        <tr>
          <td aria-label="Figure" />
          {months.map(({ month }) => (
            <th key={month} scope="col">
              <MonthLink month={month} hasYear={month === months[0]?.month} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ROWS.map(([name, of, show]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {months.map((month) => {
              const value = of(month);
              return (
                <td key={month.month} data-chosen={month.month === chosen || undefined}>
                  {value === null ? (
                    <abbr title="not known">?</abbr>
                  ) : (
                    show(value).replace(/^-/u, '−')
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The same where there is less room: a row for each month, the newest first. */
function MonthList({
  months,
  bar,
}: {
  months: MoneyMonth[];
  bar: (month: MoneyMonth) => ReactNode;
}) {
  const [isWhole, setWhole] = useState(false);
  const newest = months.toReversed();
  const older = months.slice(0, -SHOWN_FIRST);
  const range = [older[0], older.at(-1)]
    .map((month) => month && nameMonth(month.month, 'long'))
    .join(' to ');
  return (
    <>
      <SectionHead title="Money in by month" />
      <ul className={styles.list} aria-label="Money by month">
        {newest.slice(0, isWhole ? undefined : SHOWN_FIRST).map((month) => {
          const value = moneyIn(month);
          return (
            <li key={month.month}>
              <MonthLink month={month.month} hasYear={month === months[0]} />
              {bar(month)}
              <span>
                {value === null ? 'not known' : formatPence(Math.round(value / 100) * 100)}
              </span>
            </li>
          );
        })}
      </ul>
      {!isWhole && older.length > 0 && (
        <LinkButton onClick={() => setWhole(true)}>{range}</LinkButton>
      )}
    </>
  );
}

/** A month's figures below the bars, for a phone. */
export function MonthFigures({ month }: { month: MoneyMonth }) {
  return (
    <div>
      <table className={money.sum} aria-label="Figures of the month">
        <tbody>
          {ROWS.filter(([name]) => ON_PHONE.includes(name)).map(([name, of, show]) => {
            const value = of(month);
            const [words, unit = ''] = name.split(', ');
            return (
              <tr key={name}>
                <th scope="row">{words}</th>
                <td>{value === null ? 'not known' : unit + show(value)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** A month as a link. January, and the first one, say of which year. */
function MonthLink({ month, hasYear }: { month: string; hasYear: boolean }) {
  const { month: chosen } = useMoneyPeriod();
  const [params] = useSearchParams();
  const next = new URLSearchParams(params);
  for (const [name, day] of Object.entries(wholeMonth(month))) next.set(name, day);
  const isChosen = month === chosen;
  const soFar = month === londonDate(useNow(false)).slice(0, 7) ? ' so far' : '';
  return (
    <Link
      to={{ search: next.toString() }}
      aria-label={`${nameMonth(month)}${soFar} ${month.slice(0, 4)}`}
      aria-current={isChosen ? 'true' : undefined}
    >
      {nameMonth(month)}
      {soFar ? (
        <span>{soFar}</span>
      ) : (
        (hasYear || month.endsWith('-01')) && <span> {month.slice(0, 4)}</span>
      )}
    </Link>
  );
}

/** The distance of the chart's lines: 1, 2 or 5 with zeros, for about three lines. */
function toStep(most: number): number {
  const zeros = 10 ** Math.floor(Math.log10(Math.max(1, most / 3)));
  return zeros * ([5, 2].find((times) => times * zeros <= most / 3) ?? 1);
}
