import { MONEY_FIGURES, moneyPeopleQuery } from '@site/schema/calls/money-figures';
import type {
  MoneyFigure,
  MoneyLabels,
  MoneyPeople,
  MoneyPeriod,
  MoneyPrice,
} from '@site/schema/calls/money-figures';
import type { SubscriptionStage } from '@site/schema/money';
import { useSearchParams } from 'react-router-dom';
import { toSearch } from '../shared/filter-params.ts';
import { STAGE_NAMES } from '../lead/lead-labels.ts';
import { STAGE_NOTES } from '../person/money-labels.ts';

/** What the view can list instead of its figures. */
export type ShownPeople = MoneyPrice & { of: MoneyPeople };

/** Writes the query of the list of those whom a figure or a stage is about, at any price or at one. */
export function toPeople(of: MoneyPeople, period: MoneyPeriod, price: MoneyPrice = {}): string {
  const parts = Object.entries({ people: of, ...price }).map(([name, value]) => `${name}=${value}`);
  return [toSearch(period, 'money'), ...parts].join('&');
}

/** Returns the figure or stage whose people the address asks for, and at which price. */
export function useShownPeople(): ShownPeople | undefined {
  const [params] = useSearchParams();
  const { of, plan, price } = moneyPeopleQuery.shape;
  const asked = of.safeParse(params.get('people')).data;
  return (
    asked && {
      of: asked,
      plan: plan.safeParse(params.get('plan') ?? '').data,
      price: price.safeParse(params.get('price') ?? '').data,
    }
  );
}

const STAGE_DATES: Record<SubscriptionStage, string> = {
  trial: 'Trial ends',
  paying: 'Next charge',
  ending: 'Access until',
  dunning: 'Next attempt',
  suspended: 'Began',
  ended: 'Ended',
  incomplete: 'Began',
};

export const isFigure = (of: MoneyPeople): of is MoneyFigure => Object.hasOwn(MONEY_FIGURES, of);

export function labelsOf(of: MoneyPeople): MoneyLabels {
  if (isFigure(of)) return MONEY_FIGURES[of];
  const empty = 'No subscription is at this stage.';
  const note = `${STAGE_NOTES[of]}.`;
  return {
    title: STAGE_NAMES[of],
    note,
    at: STAGE_DATES[of],
    pence: 'Price',
    unit: 'subscription',
    empty,
  };
}
