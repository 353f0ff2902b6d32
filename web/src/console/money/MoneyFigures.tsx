import type { MoneyFigure, MoneyFiguresAnswer } from '@site/schema/calls/money-figures';
import { formatPence } from '@site/schema/offer';
import { FigureRow } from '../elements/FigureRow.tsx';
import type { Figure } from '../elements/FigureRow.tsx';
import { countOf, formatCount } from '../elements/format-count.ts';
import { toPeople } from './money-people-address.ts';
import { useMoneyPeriod } from './money-period.ts';

/** What subscriptions bring in now and soon, each figure a link to its people. */
export function RecurringFigures({
  figures: { mrr, paused, trialsEnding, expected },
}: {
  figures: MoneyFiguresAnswer;
}) {
  const toFigure = useFigures();
  return (
    <FigureRow
      name="Recurring revenue"
      figures={[
        toFigure('mrr', mrr.count, {
          name: 'MRR',
          value: formatPence(mrr.pence),
          note: countOf(mrr.count, 'subscription'),
        }),
        toFigure('paused', paused.count, {
          name: 'Charging is paused',
          value: formatPence(paused.pence),
          note: `${countOf(paused.count, 'subscription')}, not in MRR`,
        }),
        toFigure('trials-ending', trialsEnding.count, {
          name: 'Trials ending in 7 days',
          value: formatCount(trialsEnding.count),
          note: trialsEnding.count === 0 ? 'none is about to end' : `${formatPence(trialsEnding.pence)} if they stay`,
        }),
        toFigure('expected', expected.count, {
          name: 'Expected in 30 days',
          value: formatPence(expected.pence),
          note: countOf(expected.count, 'charge'),
        }),
      ]}
    />
  );
}

/** What was paid, refunded and lost in the period. */
export function PeriodFigures({ figures }: { figures: MoneyFiguresAnswer }) {
  const toFigure = useFigures();
  const { paid, churned, refunded, payers } = figures;
  const couldChurn = payers.atStart + payers.joined;
  return (
    <FigureRow
      name="Revenue and churn"
      figures={[
        toFigure('paid', paid.count, {
          name: 'Paid',
          value: formatPence(paid.pence),
          note: `by ${countOf(paid.count, 'payer')}`,
        }),
        toFigure('refunded', refunded.count, {
          name: 'Refunds',
          value: formatPence(refunded.pence),
          note: countOf(refunded.count, 'refund'),
        }),
        toFigure('churned', churned.count, {
          name: 'Churn',
          value: couldChurn === 0 ? '–' : describeShare(churned.count / couldChurn),
          note: couldChurn === 0 ? 'no payers yet' : describeChurn(figures),
        }),
      ]}
    />
  );
}

/** Returns a function that links a figure to its people, if there are any. */
function useFigures() {
  const { period } = useMoneyPeriod();
  return (of: MoneyFigure, count: number, figure: Figure): Figure =>
    count === 0 ? figure : { ...figure, to: toPeople(of, period) };
}

const describeShare = (share: number) => `${(share * 100).toLocaleString('en-GB', { maximumFractionDigits: 1 })}%`;

function describeChurn({ churned, payers }: MoneyFiguresAnswer): string {
  const lost = churned.pence === 0 ? '' : `, −${formatPence(churned.pence)} MRR`;
  return `${formatCount(churned.count)} of ${countOf(payers.atStart + payers.joined, 'payer')}${lost}`;
}
