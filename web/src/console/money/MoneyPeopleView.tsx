import type { MoneyFigure, MoneySource } from '@site/schema/calls/money-figures';
import type { SubscriptionStage } from '@site/schema/money';
import { MoneyPeopleList } from './MoneyPeopleList.tsx';
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
  const name = of === 'trials-ending' ? 'trialsEnding' : of;
  // The figures of the overview come with their list.
  return (
    <MoneyPeopleList of={of} source={source} total={figures && name in figures ? figures[name as 'mrr'] : undefined} />
  );
}

function PeopleOfStage({ of, source }: { of: SubscriptionStage; source: MoneySource }) {
  const { money } = useMoney();
  return <MoneyPeopleList of={of} source={source} total={money && { count: money.stages[of] }} />;
}
