import { MONEY_FIGURES, PEOPLE_PER_PAGE } from '@site/schema/calls/money-figures';
import type { MoneyPeople, MoneyPeopleAnswer } from '@site/schema/calls/money-figures';
import { formatPence } from '@site/schema/offer';
import { useEffect, useRef } from 'react';
import { useApiPages } from '../api/use-api-data.ts';
import { DataTable } from '../shared/DataTable.tsx';
import { countOf } from '../shared/format-count.ts';
import { LinkButton } from '../shared/LinkButton.tsx';
import { Empty, LoadState } from '../shared/LoadState.tsx';
import { SectionHead } from '../shared/SectionHead.tsx';
import { Moment } from '../shared/Moment.tsx';
import { STAGE_NAMES } from '../lead/lead-labels.ts';
import { useNow } from '../shared/use-now.ts';
import styles from './Money.module.css';
import { isFigure, labelsOf } from './money-people-address.ts';
import type { ShownPeople } from './money-people-address.ts';
import { useMoneyPeriod } from './money-period.ts';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';
import { describePrice } from './PayersNow.tsx';
import { StripeLink } from '../person/StripeLink.tsx';

/** The rows behind a number, each with the lead and the subscription in Stripe, and what they add up to. */
export function MoneyPeopleList({ of, plan, price }: ShownPeople) {
  const now = useNow(false);
  const { period, name } = useMoneyPeriod();
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, fault, hasMore, loadMore, reload } = useApiPages(
    'GET /api/admin/money/people',
    (previous) =>
      previous?.nextCursor === null
        ? null
        : { query: { ...period, of, plan, price, cursor: previous?.nextCursor } },
  );
  // The link that was followed is no longer on the page.
  useEffect(() => heading.current?.focus(), []);
  const { title, note, at: atHead, pence: penceHead, unit, empty } = labelsOf(of);
  const people = data?.flatMap((page) => page.people) ?? [];
  const total = data?.[0]?.total;
  const isStage = !isFigure(of);
  const aside = [
    total && countOf(total.count, unit),
    plan && price !== undefined && describePrice(plan, price),
    !isStage && MONEY_FIGURES[of].span !== 'now' && name,
  ];
  return (
    <div className={styles.money}>
      <section aria-label={title}>
        <SectionHead title={title} aside={aside.filter(Boolean).join(' · ')} headingRef={heading} />
        <p>{note}</p>
        <LoadState of="people" data={data} fault={fault} reload={reload} />
        {!data ? null : people.length === 0 ? (
          <Empty title="Nobody">{empty}</Empty>
        ) : (
          <DataTable
            name={title}
            heads={['Person', 'Stage', 'Plan', 'Stripe', atHead, penceHead]}
            numbersFrom={4}
            isStacking
            foot={
              total && (
                <tr>
                  <th scope="row" colSpan={5}>
                    Total of {countOf(total.count, unit)}
                  </th>
                  <td data-figure data-amount>
                    {!isStage && formatPence(total.pence, true)}
                  </td>
                </tr>
              )
            }
          >
            {people.map((person, n) => (
              <PersonRow
                key={`${person.stripeSubscriptionId} ${n}`}
                person={person}
                of={of}
                now={now}
              />
            ))}
          </DataTable>
        )}
      </section>
      {hasMore && (
        <LinkButton onClick={() => void loadMore()}>
          Load {Math.min(PEOPLE_PER_PAGE, (total?.count ?? Infinity) - people.length)} more
        </LinkButton>
      )}
    </div>
  );
}

type PersonRowProps = { person: MoneyPeopleAnswer['people'][number]; of: MoneyPeople; now: Date };

function PersonRow({ person, of, now }: PersonRowProps) {
  const { email, name, leadId, stage, plan, pence, at, dashboardUrl, stripeSubscriptionId } =
    person;
  const isStage = !isFigure(of);
  return (
    <tr>
      <th scope="row">
        {email === null ? (
          'An erased person'
        ) : (
          <MoneyLeadLink leadId={leadId} email={email} name={name} />
        )}
      </th>
      <td>{STAGE_NAMES[stage]}</td>
      <td>{plan === 'annual' ? 'Yearly' : 'Monthly'}</td>
      <td data-last>
        <StripeLink to={dashboardUrl} name={email ?? stripeSubscriptionId} />
      </td>
      <td data-figure data-label={labelsOf(of).at} data-none={at === null || undefined}>
        {at === null ? '–' : <Moment at={at} now={now} />}
      </td>
      <td
        data-figure
        data-amount
        data-unit={labelsOf(of).pence === 'A month' ? 'a month' : undefined}
      >
        {formatPence(pence, true)}
        {isStage && `\u00a0a\u00a0${plan === 'annual' ? 'year' : 'month'}`}
      </td>
    </tr>
  );
}
