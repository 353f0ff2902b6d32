import { MONEY_FIGURE_NAMES, MONEY_FIGURES } from '@site/schema/calls/money-figures';
import type { MoneyFigure, MoneyFiguresAnswer } from '@site/schema/calls/money-figures';
import { formatPence } from '@site/schema/offer';
import { Link } from 'react-router-dom';
import { formatCount } from '../shared/format-count.ts';
import styles from './Money.module.css';
import { describeSums } from '../person/money-labels.ts';
import { toPeople } from './money-people-address.ts';
import type { ShownPeriod } from './money-period.ts';

type Figures = MoneyFiguresAnswer['figures'];
const inPlaces = (...places: string[]) =>
  MONEY_FIGURE_NAMES.filter((of) => places.includes(MONEY_FIGURES[of].place));
const SUM = inPlaces('added', 'taken');
const EXPECTED = inPlaces('expected');
const isTaken = (of: MoneyFigure) => MONEY_FIGURES[of].place === 'taken';

/** What was paid in a period, less what was taken off. */
const sumUp = (figures: Figures) =>
  SUM.reduce((sum, of) => sum + (isTaken(of) ? -figures[of].pence : figures[of].pence), 0);
/** What a period will have brought in at its end. */
export const sumUpExpected = (figures: Figures) =>
  EXPECTED.reduce((sum, of) => sum + figures[of].pence, sumUp(figures));

export const formatSum = (pence: number) => formatPence(pence, true).replace('-', '−');

type MonthSumProps = {
  shown: ShownPeriod;
  /** Of each column, as far as they are loaded. */
  answers: (MoneyFiguresAnswer | undefined)[];
};

/** The period as a sum, beside the month before. Each count opens its rows. */
export function MonthSum({ shown: { columns }, answers }: MonthSumProps) {
  const [now] = answers;
  return (
    <div>
      <table className={styles.sum} aria-label="Money in" data-columns={columns.length}>
        <thead>
          <tr>
            <td aria-label="Figure" />
            {columns.map(({ name }) => (
              <th key={name} scope="col" colSpan={2}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {SUM.map((of) => (
            <tr key={of}>
              <th scope="row">{MONEY_FIGURES[of].title}</th>
              {columns.map(({ name, period }, n) => {
                const figure = answers[n]?.figures[of];
                const pence = figure && (isTaken(of) ? 0 - figure.pence : figure.pence);
                return (
                  <SumCells
                    key={name}
                    count={figure?.count}
                    pence={pence}
                    to={toPeople(of, period)}
                    name={`${MONEY_FIGURES[of].title}, ${name}`}
                  />
                );
              })}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Money in</th>
            {columns.map(({ name }, n) => {
              const answer = answers[n];
              return (
                <td key={name} colSpan={2}>
                  <strong>{answer ? formatSum(sumUp(answer.figures)) : '…'}</strong>
                </td>
              );
            })}
          </tr>
        </tfoot>
      </table>
      {now && <p className={styles.note}>{describeSums(now)}</p>}
    </div>
  );
}

/** What this month will have brought in at its end, if every trial stays. */
export function ExpectedSum({ shown, figures }: { shown: ShownPeriod; figures: Figures }) {
  const [month = ''] = shown.name.split(' ');
  const lastDay = Number(shown.period.endDate?.slice(8));
  return (
    <div>
      <table className={styles.sum} aria-label={`Expected by ${lastDay} ${month}`}>
        <thead>
          <tr>
            <th scope="col" colSpan={3}>
              Expected by {lastDay} {month}
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Came in so far</th>
            <SumCells pence={sumUp(figures)} />
          </tr>
          {EXPECTED.map((of) => (
            <tr key={of}>
              <th scope="row">{MONEY_FIGURES[of].title}</th>
              <SumCells
                {...figures[of]}
                to={toPeople(of, shown.period)}
                name={MONEY_FIGURES[of].title}
              />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All of {month}</th>
            <SumCells pence={sumUpExpected(figures)} />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

type SumCellsProps = {
  count?: number | undefined;
  pence: number | undefined;
  to?: string;
  name?: string;
};

/** A count that opens its rows, and their sum. */
export function SumCells({ count, pence, to, name }: SumCellsProps) {
  return (
    <>
      <td>
        {count === 0 && '–'}
        {count !== undefined && count > 0 && to !== undefined && (
          <Link to={{ search: to }} aria-label={`${formatCount(count)}: ${name}`}>
            {formatCount(count)}
          </Link>
        )}
      </td>
      <td>{pence === undefined ? '…' : formatSum(pence)}</td>
    </>
  );
}
