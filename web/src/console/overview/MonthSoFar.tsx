import type { MoneyList, MoneyMonth } from '@site/schema/calls/money';
import { formatPence } from '@site/schema/offer';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { nameMonth, toRows, wholeMonth } from '../money/period.ts';
import { formatCount } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import styles from './Overview.module.css';

const pounds = (amount: MoneyMonth['mrr']) =>
  amount === null ? '?' : formatPence(amount.pence).replace('-', '−');
const number = (count: number | null) => (count === null ? '?' : formatCount(count));

/** How this month has gone so far, beside the whole last one. */
export function MonthSoFar({ months }: { months: MoneyMonth[] }) {
  const [now, before] = [months.at(-1), months.at(-2)];
  if (!now || !before) return null;
  const days = wholeMonth(now.month);
  const earlier = nameMonth(before.month);
  const rows = (of: MoneyList) => ({ search: toRows(of, days) });
  const taken = (of: 'refunded' | 'lost', words: string) =>
    now[of] !== null &&
    now[of].pence > 0 && (
      <p>
        after{' '}
        <Link to={rows(of)}>
          {pounds(now[of])} {words}
        </Link>
      </p>
    );
  return (
    <section aria-labelledby="month">
      <SectionHead
        id="month"
        title={`${nameMonth(now.month)} so far`}
        aside={`beside all of ${earlier}`}
      >
        <Link to={{ search: 'view=money' }}>All months</Link>
      </SectionHead>
      <dl className={styles.month}>
        <Figure name="Money in" value={pounds(now.moneyIn)} to={rows('money-in')}>
          <p>
            {pounds(before.moneyIn)} in {earlier}
          </p>
          {taken('refunded', 'refunded')}
          {taken('lost', 'lost in disputes')}
        </Figure>
        <Figure
          name="MRR"
          value={pounds(now.mrr)}
          to={{ search: toRows('mrr') }}
          beside={<MrrLine months={months} />}
        >
          <p>
            {pounds(before.mrr)} at the end of {earlier}
          </p>
          <p>
            Monthly recurring revenue: what subscriptions bring in a month, even while Stripe
            retries a payment. A yearly payment counts a twelfth.
          </p>
        </Figure>
        <Figure name="New payers" value={number(now.newPayers)} to={rows('new-payers')}>
          <p>
            {number(before.newPayers)} in {earlier}
          </p>
        </Figure>
        <Figure name="Cancellations" value={number(now.cancelled)} to={rows('cancelled')}>
          <p>
            {number(before.cancelled)} in {earlier}
          </p>
        </Figure>
        <Figure
          name="Payers"
          value={number(now.payers)}
          to={{ search: 'view=people&state=paying' }}
        >
          <p>
            {number(before.payers)} at the end of {earlier}
          </p>
        </Figure>
      </dl>
    </section>
  );
}

type FigureProps = {
  name: string;
  value: string;
  to: { search: string };
  beside?: ReactNode;
  children: ReactNode;
};

function Figure({ name, value, to, beside, children }: FigureProps) {
  return (
    <div data-wide={beside !== undefined || undefined}>
      <dt>
        <Link to={to}>{name}</Link>
      </dt>
      <dd className="figure">{value}</dd>
      <dd className={styles.notes}>{children}</dd>
      {beside && <dd className={styles.beside}>{beside}</dd>}
    </div>
  );
}

/** MRR over the months. Unknown months are left out. */
function MrrLine({ months }: { months: MoneyMonth[] }) {
  const known = months.flatMap(({ month, mrr }, n) => (mrr === null ? [] : [{ month, mrr, n }]));
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last || first === last) return null;
  const most = Math.max(1, ...known.map(({ mrr }) => mrr.pence));
  const points = known.map(({ mrr, n }) => [
    (100 * n) / (months.length - 1),
    100 - (96 * mrr.pence) / most,
  ]);
  return (
    <figure className={styles.line}>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <polyline points={points.map((point) => point.join(',')).join(' ')} />
      </svg>
      <figcaption>
        <span>
          {pounds(first.mrr)} in {nameMonth(first.month).slice(0, 3)} {first.month.slice(0, 4)}
        </span>
        <span>{pounds(last.mrr)} now</span>
      </figcaption>
    </figure>
  );
}
