import { MONTH_FIGURES } from '@site/schema/calls/money-figures';
import type { MoneyMonth } from '@site/schema/calls/money';
import type { FigureName } from '@site/schema/calls/money-figures';
import type { OverviewAnswer } from '@site/schema/calls/overview';
import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import { formatFigure, isSome, nameMonth, toRows, wholeMonth } from '../money/period.ts';
import { toReasonText } from '../person/labels.ts';
import { countOf } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import styles from './Overview.module.css';

/** The figures here, and what the last month's is: all of it, or its end. */
const COMPARED: Partial<Record<FigureName, 'in' | 'at the end of'>> = {
  moneyIn: 'in',
  mrr: 'at the end of',
  newPayers: 'in',
  endedPayers: 'in',
  payers: 'at the end of',
};
const PAYERS = 'view=people&group=payers';
const TAKEN = { paid: 'paid', refunded: 'refunded', lost: 'held by banks' };

type MonthProps = {
  months: MoneyMonth[];
  cancelledTrials: OverviewAnswer['cancelledTrials'] | undefined;
};

/** Compares this month so far with the whole last month. */
export function MonthSoFar({ months, cancelledTrials }: MonthProps) {
  const [now, before] = [months.at(-1), months.at(-2)];
  if (!now || !before) return null;
  const days = wholeMonth(now.month);
  const earlier = nameMonth(before.month);
  const shown = MONTH_FIGURES.filter(({ name }) => Object.hasOwn(COMPARED, name));
  const taken = (['refunded', 'lost'] as const).filter((name) => isSome(now[name]));
  const toList = (of: 'paid' | (typeof taken)[number]) => (
    <Link to={{ search: toRows(of, days) }}>
      {formatFigure(now[of])} {TAKEN[of]}
    </Link>
  );
  return (
    <section aria-labelledby="month">
      <SectionHead
        id="month"
        title={`${nameMonth(now.month)} so far`}
        aside={`compared with all of ${earlier}`}
      >
        <Link to={{ search: 'view=money' }}>All months</Link>
      </SectionHead>
      <dl className={styles.month}>
        {shown.map(({ name: key, title, list }) => (
          <div key={key} data-wide={key === 'mrr' || undefined}>
            <dt>
              <Link
                to={{ search: list ? toRows(list, days) : key === 'mrr' ? toRows(key) : PAYERS }}
              >
                {title}
              </Link>
            </dt>
            <dd className="figure">{formatFigure(now[key])}</dd>
            <dd className={styles.notes}>
              <p>
                {formatFigure(before[key])} {COMPARED[key]} {earlier}
              </p>
              {key === 'moneyIn' && taken.length > 0 && (
                <p>
                  {toList('paid')}
                  {taken.map((of) => (
                    <Fragment key={of}>, less {toList(of)}</Fragment>
                  ))}
                </p>
              )}
              {key === 'moneyIn' && isSome(now.afterFees) && (
                <p>{formatFigure(now.afterFees)} after Stripe’s fees</p>
              )}
              {key === 'mrr' && (
                <details>
                  <summary>What is MRR?</summary>
                  Monthly recurring revenue: what subscriptions bring in a month, even while Stripe
                  retries a payment. An annual payment counts a twelfth.
                </details>
              )}
            </dd>
            {key === 'mrr' && (
              <dd className={styles.beside}>
                <MrrLine months={months} />
              </dd>
            )}
          </div>
        ))}
      </dl>
      {cancelledTrials && cancelledTrials.count > 0 && (
        <p className={styles.foot}>
          <Link to={{ search: toRows('cancelled-trials', days) }}>
            {countOf(cancelledTrials.count, 'trial')} cancelled
          </Link>
          {cancelledTrials.reasons.length > 0 && ': '}
          {cancelledTrials.reasons
            .map(({ reason, count }) => `${count} ${toReasonText(reason)}`)
            .join(', ')}
        </p>
      )}
    </section>
  );
}

/** Charts MRR over the months. Unknown months are left out. */
function MrrLine({ months }: { months: MoneyMonth[] }) {
  const recorded = months.flatMap(({ month, mrr }, n) => (mrr === null ? [] : [{ month, mrr, n }]));
  const [first, last] = [recorded[0], recorded.at(-1)];
  if (!first || !last || first === last) return null;
  const most = Math.max(1, ...recorded.map(({ mrr }) => mrr.pence));
  const points = recorded.map(
    ({ mrr, n }) => `${(100 * n) / (months.length - 1)},${100 - (96 * mrr.pence) / most}`,
  );
  return (
    <figure className={styles.line}>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <polyline points={points.join(' ')} />
      </svg>
      <figcaption>
        <span>
          {formatFigure(first.mrr)} in {nameMonth(first.month).slice(0, 3)}{' '}
          {first.month.slice(0, 4)}
        </span>
        <span>{formatFigure(last.mrr)} now</span>
      </figcaption>
    </figure>
  );
}
