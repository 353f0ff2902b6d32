import { MONEY_PEOPLE } from '@site/schema/money-figures';
import type { MoneyPeople, MoneyPeriod } from '@site/schema/money-figures';
import { useSearchParams } from 'react-router-dom';
import { toSearch } from '../filters/filter-params.ts';

/** Writes the query of the list of those whom a figure or a stage is about. */
export function toPeople(of: MoneyPeople, period: MoneyPeriod): string {
  return `${toSearch(period, 'money')}&people=${of}`;
}

/** Returns the figure or stage whose people the address asks for. */
export function useShownPeople(): MoneyPeople | undefined {
  const [params] = useSearchParams();
  return MONEY_PEOPLE.find((of) => of === params.get('people'));
}
