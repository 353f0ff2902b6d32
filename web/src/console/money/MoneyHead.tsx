import { Link } from 'react-router-dom';
import { ViewHead } from '../elements/ViewHead.tsx';
import { toSearch } from '../filters/filter-params.ts';
import { useShownPeople } from './money-people-address.ts';
import { useMoneyPeriod } from './money-period.ts';

/** Says what the view is about, or leads back from the people of a figure. */
export function MoneyHead({ title }: { title: string }) {
  const { period } = useMoneyPeriod();
  const isAll = useShownPeople() === undefined;
  return (
    <ViewHead
      title={title}
      range={
        isAll ? (
          'Subscriptions and what they bring in, as Stripe reports it'
        ) : (
          <Link to={{ search: toSearch(period, 'money') }}>Back to all figures</Link>
        )
      }
    />
  );
}
