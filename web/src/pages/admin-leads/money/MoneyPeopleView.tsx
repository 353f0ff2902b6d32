import type { MoneyFigure, MoneyFiguresAnswer, MoneySource } from '@site/schema/money-figures';
import type { SubscriptionStage } from '@site/schema/money';
import { MoneyPeopleList } from './MoneyPeopleList.tsx';
import type { PeopleTotal } from './MoneyPeopleList.tsx';
import { describeSource, findRevenue } from './money-people-address.ts';
import type { ShownPeople } from './money-people-address.ts';
import { isFigure } from './money-people-labels.ts';
import { useMoney } from './use-money.ts';
import { useMoneyFigures } from './use-money-figures.ts';

/** Whom a figure or a stage is about, with the number that was pressed. */
export function MoneyPeopleView({ of, ...source }: ShownPeople) {
  return isFigure(of) ? <PeopleOfFigure of={of} source={source} /> : <PeopleOfStage of={of} source={source} />;
}

function PeopleOfFigure({ of, source }: { of: MoneyFigure; source: MoneySource }) {
  const { figures } = useMoneyFigures();
  return <MoneyPeopleList of={of} source={source} total={figures && totalOf(of, source, figures)} />;
}

/** The prices of a stage have no sum: some are of a year and some of a month. */
function PeopleOfStage({ of, source }: { of: SubscriptionStage; source: MoneySource }) {
  const { money } = useMoney();
  const isOfAll = describeSource(source) === undefined;
  return <MoneyPeopleList of={of} source={source} total={money && isOfAll ? { count: money.stages[of] } : undefined} />;
}

/** What a figure says. Of one source, only what the revenue by source has. */
function totalOf(of: MoneyFigure, source: MoneySource, figures: MoneyFiguresAnswer): PeopleTotal | undefined {
  if (describeSource(source) === undefined) return figures[of === 'trials-ending' ? 'trialsEnding' : of];
  const row = findRevenue(figures.revenue, source);
  if (row === undefined) return undefined;
  if (of === 'paid') return { count: row.subscriptions, pence: row.paidPence };
  if (of === 'refunded') return { pence: row.returnedPence - row.lostPence };
  return of === 'mrr' ? { pence: row.monthlyPence } : undefined;
}
