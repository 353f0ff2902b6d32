import type { MoneyFigure, MoneyFiguresAnswer } from '@site/schema/money-figures';
import { formatPence } from '@site/schema/offer';
import { FigureRow } from '../elements/FigureRow.tsx';
import type { Figure } from '../elements/FigureRow.tsx';
import { formatCount } from '../elements/format-count.ts';
import { toPeople } from './money-people-address.ts';
import { useMoneyPeriod } from './money-period.ts';

/** The figures of the subscriptions, each a link to its people. */
export function MoneyFigures({ figures }: { figures: MoneyFiguresAnswer }) {
  const { period, name } = useMoneyPeriod();
  const { mrr, trialsEnding, expected, churned, refunded, payers } = figures;
  const couldChurn = payers.atStart + payers.joined;
  const figure = (of: MoneyFigure, { count }: { count: number }, told: Figure): Figure => ({
    ...told,
    isNone: count === 0,
    to: toPeople(of, period),
  });
  return (
    <FigureRow
      name="Figures"
      figures={[
        figure('mrr', mrr, {
          name: 'MRR',
          value: formatPence(mrr.pence),
          note: countOf(mrr.count, 'subscription'),
        }),
        figure('trials-ending', trialsEnding, {
          name: 'Trials ending this week',
          value: formatCount(trialsEnding.count),
          note: trialsEnding.count === 0 ? 'none before Monday' : `${formatPence(trialsEnding.pence)} if they stay`,
        }),
        figure('expected', expected, {
          name: 'Expected in 30 days',
          value: formatPence(expected.pence),
          note: countOf(expected.count, 'charge'),
        }),
        figure('churned', churned, {
          name: 'Churn',
          value: couldChurn === 0 ? '–' : describeShare(churned.count / couldChurn),
          note: couldChurn === 0 ? 'no payers yet' : describeChurn(figures, name),
        }),
        figure('refunded', refunded, {
          name: 'Refunds',
          value: formatPence(refunded.pence),
          note: `${countOf(refunded.count, 'refund')}, ${name}`,
        }),
      ]}
    />
  );
}

const countOf = (count: number, what: string) => `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`;

const describeShare = (share: number) => `${(share * 100).toLocaleString('en-GB', { maximumFractionDigits: 1 })}%`;

function describeChurn({ churned, payers }: MoneyFiguresAnswer, period: string): string {
  const lost = churned.pence === 0 ? '' : `, −${formatPence(churned.pence)} MRR`;
  return `${formatCount(churned.count)} of ${countOf(payers.atStart + payers.joined, 'payer')}${lost}, ${period}`;
}
