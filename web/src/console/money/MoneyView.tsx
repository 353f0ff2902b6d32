import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import { toUrl } from '../../http.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { CURRENT_DATA, useApiData } from '../api/data.tsx';
import { Comparison } from '../comparison/Comparison.tsx';
import { fetchInvoiceLink } from '../person/use-invoice-link.ts';
import { toPeopleList } from '../navigation.ts';
import { useIsViewer, useSession } from '../session/session.ts';
import { toSearch, useFilter } from '../shared/filter.ts';
import { FilterForm } from '../shared/FilterForm.tsx';
import { ViewHead } from '../shared/heads.tsx';
import { LoadState } from '../shared/LoadState.tsx';
import { useNow } from '../shared/use-now.ts';
import { AbandonedCheckouts } from './AbandonedCheckouts.tsx';
import { CallToday } from './CallToday.tsx';
import styles from './Money.module.css';
import { Months } from './Months.tsx';
import { Payers } from './Payers.tsx';
import { PeopleList, useShownList } from './PeopleList.tsx';
import { useMoneyPeriod } from './period.ts';

/**
 * Renders the months and what is now, the rows of a figure, or an invoice that a payment links
 * to.
 */
export function MoneyView() {
  const [params] = useSearchParams();
  const { period, isChosen, name } = useMoneyPeriod();
  const { filter, showFilter } = useFilter('money');
  const list = useShownList();
  const isViewer = useIsViewer();
  const invoice = params.get('invoice');
  if (list)
    return (
      <>
        <ViewHead
          title="Money"
          range={
            <Link to={{ search: toSearch(isChosen ? period : {}, 'money') }}>
              Back to all figures
            </Link>
          }
        />
        <PeopleList key={JSON.stringify(list)} {...list} />
      </>
    );
  return (
    <>
      <ViewHead
        title="Money"
        range={`${isChosen ? name : 'what came in by month'}, as Stripe reports it`}
        filters={
          <FilterForm
            filter={filter}
            onApply={({ startDate, endDate }) => showFilter({ startDate, endDate })}
          />
        }
        actions={
          !isViewer && (
            <ButtonLink
              look="line"
              href={toUrl('GET /api/admin/money/payments.csv', { query: period })}
            >
              Accountant’s CSV, {name}
            </ButtonLink>
          )
        }
      />
      {invoice === null ? <AllMoney /> : <InvoicePage id={invoice} />}
    </>
  );
}

function AllMoney() {
  const now = useNow(false);
  const { data: money, failure, reload } = useApiData('GET /api/admin/money');
  const calls = useApiData('GET /api/admin/money/calls');
  const isEmpty = money && Object.values(money.stages).every((count) => count === 0);
  return (
    <div className={styles.money}>
      {isEmpty ? (
        <p>
          No subscriptions yet. Figures appear here with the first one. See{' '}
          <Link to="/admin-leads">what is left to set up</Link>, or give{' '}
          <Link to={{ search: toPeopleList(undefined) }}>free access</Link>.
        </p>
      ) : (
        <Months />
      )}
      <LoadState of="Money" data={money} failure={failure} reload={reload} />
      <div>
        <CallToday {...calls} />
        {money && (
          <AbandonedCheckouts
            dashboardUrl={money.dashboardUrl}
            now={now}
            called={new Set(calls.data?.people.map(({ id }) => id))}
          />
        )}
      </div>
      {money && (
        <section className={styles.today} aria-labelledby="today">
          <h2 id="today">Today</h2>
          {!isEmpty && <Payers money={money} />}
          <Comparison dashboardUrl={money.dashboardUrl} now={now} />
        </section>
      )}
    </div>
  );
}

/** Redirects to Stripe's page of an invoice, which expires, so that its link here does not. */
function InvoicePage({ id }: { id: string }) {
  const { call } = useSession();
  const {
    data: url,
    error,
    mutate,
  } = useSWR(`invoice/${id}`, () => fetchInvoiceLink(call, id), CURRENT_DATA);
  useEffect(() => {
    // The Back button returns to the link, not to this page.
    if (url !== undefined) window.location.replace(url);
  }, [url]);
  return <LoadState of="invoice" failure={error} reload={() => mutate()} />;
}
