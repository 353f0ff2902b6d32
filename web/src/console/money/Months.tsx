import { MONTH_FIGURES } from '@site/schema/calls/money-figures';
import type { MoneyMonth } from '@site/schema/calls/money';
import type { FigureName } from '@site/schema/calls/money-figures';
import { londonDate } from '@site/schema/calendar';
import { formatMoney } from '@site/schema/money';
import type { CSSProperties } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useApiData } from '../api/data.tsx';
import { LoadState } from '../shared/LoadState.tsx';
import { SectionHead } from '../shared/heads.tsx';
import { useNow } from '../shared/use-now.ts';
import styles from './Months.module.css';
import { formatFigure, isSome, nameMonth, toRows, useMoneyPeriod, wholeMonth } from './period.ts';

const MONTHS = 12;
/** The call answers up to 60 months. */
const MAX_AGO = 48;

/** Charts twelve months over their figures. Each month is a link that chooses it. */
export function Months() {
  const [params] = useSearchParams();
  const today = londonDate(useNow(false));
  /** The number of months between the last month on screen and this month. */
  const ago = Math.min(Math.max(0, Number(params.get('ago')) || 0), MAX_AGO);
  const query = { months: MONTHS + ago };
  const history = useApiData('GET /api/admin/money/history', { query }, { keepPreviousData: true });
  const { month: chosen } = useMoneyPeriod();
  const months = history.data?.months.slice(0, MONTHS) ?? [];
  const leftOut = months.flatMap(({ month, leftOut: others }) =>
    others.map(
      ({ pence, currency }) =>
        `${formatMoney(pence, currency)} in ${nameMonth(month)} ${month.slice(0, 4)}`,
    ),
  );
  const most = Math.max(1, ...months.map(({ moneyIn }) => moneyIn?.pence ?? 0));
  const figures = MONTH_FIGURES.filter(
    ({ name, isRare }) => !isRare || months.some((month) => isSome(month[name])),
  );
  const { since } = history.data ?? {};
  const hasEarlier = ago < MAX_AGO && since != null && since < (months[0]?.month ?? '');
  const toAgo = (wanted: number) => ({ search: `view=money&ago=${wanted}` });
  const label = (month: string) =>
    `${nameMonth(month).slice(0, 3)}${month === today.slice(0, 7) ? ' so far' : ''}`;
  return (
    <section aria-label="Money by month">
      <SectionHead title="Month by month">
        {hasEarlier && <Link to={toAgo(ago + MONTHS)}>Earlier months</Link>}
        {ago > 0 && <Link to={toAgo(Math.max(0, ago - MONTHS))}>Later months</Link>}
      </SectionHead>
      <LoadState of="the months" {...history} />
      <div className={styles.scroll}>
        <table className={styles.months} aria-label="Money by month">
          <thead>
            <tr className={styles.bars} aria-hidden="true">
              <td>&nbsp;</td>
              {months.map(({ month, moneyIn }) => (
                <td key={month}>
                  <div
                    style={
                      {
                        '--share': `${(Math.max(0, moneyIn?.pence ?? 0) / most) * 100}%`,
                      } as CSSProperties
                    }
                  >
                    &nbsp;
                  </div>
                </td>
              ))}
            </tr>
            <tr>
              <td aria-label="Figure" />
              {months.map(({ month }, n) => (
                <th key={month} scope="col">
                  <Link
                    to={{ search: toMonth(params, month) }}
                    aria-label={`${label(month)} ${month.slice(0, 4)}`}
                    aria-current={month === chosen ? 'true' : undefined}
                  >
                    {label(month)}
                    {/* Below the month, so that the names' column never covers the month alone. */}
                    {(n === 0 || month.endsWith('-01')) && <span> {month.slice(0, 4)}</span>}
                  </Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {figures.map(({ name, title, list }) => (
              <tr key={name}>
                <th scope="row">{title}</th>
                {months.map(({ month, [name]: value }) => (
                  <td key={month} data-figure data-chosen={month === chosen || undefined}>
                    <Figure value={value} to={list && toRows(list, wholeMonth(month))} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {leftOut.length > 0 && (
        <p className={styles.note}>Pounds only. Left out: {leftOut.join(', ')}.</p>
      )}
      {months.some(({ payers }) => payers === null) && (
        <p className={styles.note}>? is not known: nothing was recorded.</p>
      )}
    </section>
  );
}

function toMonth(params: URLSearchParams, month: string): string {
  const next = new URLSearchParams(params);
  for (const [name, day] of Object.entries(wholeMonth(month))) next.set(name, day);
  return next.toString();
}

/**
 * Renders an amount or a count, which opens its rows if it has any. Zero is a dash, and an unknown
 * figure a question mark.
 */
function Figure({ value, to }: { value: MoneyMonth[FigureName]; to: string | undefined }) {
  const words = formatFigure(value);
  if (value === null) return <abbr title="not known">{words}</abbr>;
  if (value === 0 || (typeof value === 'object' && value.pence === 0)) return '–';
  return to === undefined ? words : <Link to={{ search: to }}>{words}</Link>;
}
