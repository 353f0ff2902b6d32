import type { MoneyPeople, MoneyPeopleAnswer, MoneySource } from '@site/schema/calls/money-figures';
import { formatPence } from '@site/schema/offer';
import { useEffect, useRef } from 'react';
import { useApiPages } from '../api/use-api-data.ts';
import { DataTable } from '../elements/DataTable.tsx';
import { EmptyView } from '../elements/EmptyView.tsx';
import { countOf, formatCount } from '../elements/format-count.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import { LoadState } from '../elements/LoadState.tsx';
import { SectionHead } from '../elements/SectionHead.tsx';
import { Moment } from '../elements/Moment.tsx';
import { STAGE_NAMES } from '../lead/lead-labels.ts';
import { useOpenOnClick } from '../navigation/open-lead.ts';
import { useNow } from '../time/use-now.ts';
import styles from './Money.module.css';
import { hasPeriod, isDue, isFigure, PEOPLE_LABELS } from './money-people-labels.ts';
import { describeSource } from './money-people-address.ts';
import { useMoneyPeriod } from './money-period.ts';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';
import { MoneyPeriod } from './MoneyPeriod.tsx';
import { StripeLink } from './StripeLink.tsx';

/** What the list adds up to. The prices of a stage are summed once all are loaded. */
type PeopleTotal = { count: number; pence?: number };

type MoneyPeopleListProps = {
  of: MoneyPeople;
  source: MoneySource;
  /** Of all sources, as far as it is known. */
  total: PeopleTotal | undefined;
};

/** Everyone behind a number, each with their lead and their subscription in Stripe, and what they add up to. */
export function MoneyPeopleList({ of, source, total: totalOfAll }: MoneyPeopleListProps) {
  const now = useNow(false);
  const { period, name } = useMoneyPeriod();
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, fault, hasMore, loadMore, reload } = useApiPages('GET /api/admin/money/people', (previous) =>
    previous?.nextCursor === null ? null : { query: { ...period, of, ...source, cursor: previous?.nextCursor } },
  );
  // The link that was followed is no longer on the page.
  useEffect(() => heading.current?.focus(), []);
  const { title, note, at: atHead, pence: penceHead, empty } = PEOPLE_LABELS[of];
  const people = data?.flatMap((page) => page.people) ?? [];
  const isStage = !isFigure(of);
  const from = describeSource(source);
  const total = (from === undefined && totalOfAll) || (data?.[0]?.total ?? undefined);
  const aside = [total && formatCount(total.count), from, hasPeriod(of) && name].filter(Boolean);
  return (
    <div className={styles.money}>
      <section aria-label={title}>
        <SectionHead
          title={title}
          aside={
            aside.length > 0 && <bdi className={hasPeriod(of) ? styles.covered : undefined}>{aside.join(', ')}</bdi>
          }
          headingRef={heading}
        >
          {hasPeriod(of) && !isDue(of) && <MoneyPeriod />}
        </SectionHead>
        <p>{note}</p>
        <LoadState of="people" data={data} fault={fault} reload={reload} />
        {!data ? null : people.length === 0 ? (
          <EmptyView title="Nobody">{empty}</EmptyView>
        ) : (
          <DataTable
            name={title}
            // The stage of a stage is its heading.
            heads={['Person', ...(isStage ? [] : ['Stage']), 'Plan', 'Stripe', atHead, penceHead]}
            numbersFrom={isStage ? 3 : 4}
            isStacking
            foot={isStage ? !hasMore && <StageTotal people={people} /> : total && <TotalRow of={of} total={total} />}
          >
            {people.map((person) => (
              <PersonRow key={`${person.stripeSubscriptionId} ${person.at}`} person={person} of={of} now={now} />
            ))}
          </DataTable>
        )}
      </section>
      {hasMore && <LinkButton onClick={() => void loadMore()}>Load 50 more</LinkButton>}
    </div>
  );
}

type PersonRowProps = { person: MoneyPeopleAnswer['people'][number]; of: MoneyPeople; now: Date };

function PersonRow({ person, of, now }: PersonRowProps) {
  const { email, name, leadId, stage, plan, pence, at, dashboardUrl, stripeSubscriptionId } = person;
  const open = useOpenOnClick(leadId);
  const { at: atHead } = PEOPLE_LABELS[of];
  const isStage = !isFigure(of);
  return (
    <tr className={leadId === null ? undefined : styles.row} onClick={open}>
      <th scope="row">
        {email === null ? 'An erased person' : <MoneyLeadLink leadId={leadId} email={email} name={name} />}
        {email !== null && name !== null && <bdi className={styles.under}>{email}</bdi>}
      </th>
      {!isStage && <td>{STAGE_NAMES[stage]}</td>}
      <td>{plan === 'annual' ? 'Annual' : 'Monthly'}</td>
      <td>
        <StripeLink to={dashboardUrl} name={email ?? stripeSubscriptionId} />
      </td>
      <td data-figure data-label={atHead} data-none={at === null || undefined}>
        {at === null ? '–' : <Moment at={at} now={now} />}
      </td>
      <td data-figure data-amount>
        {isStage ? priceOf(pence, plan) : formatPence(pence, true)}
      </td>
    </tr>
  );
}

/** What the list adds up to, so that the number that was pressed can be checked. */
function TotalRow({ of, total: { count, pence = 0 } }: { of: MoneyPeople; total: PeopleTotal }) {
  return (
    <tr>
      <th scope="row" colSpan={5}>
        Total of {countOf(count, PEOPLE_LABELS[of].unit)}
      </th>
      <td data-figure data-amount>
        {formatPence(pence, true)}
      </td>
    </tr>
  );
}

/** What a stage adds up to, a month and a year apart. */
function StageTotal({ people }: Pick<MoneyPeopleAnswer, 'people'>) {
  const sums = (['monthly', 'annual'] as const).map((plan) => {
    const prices = people.filter((person) => person.plan === plan).map(({ pence }) => pence);
    return { plan, sum: prices.reduce((sum, pence) => sum + pence, 0), isThere: prices.length > 0 };
  });
  return (
    <tr>
      <th scope="row" colSpan={4}>
        Total of {countOf(people.length, 'subscription')}
      </th>
      <td data-figure data-amount>
        {sums
          .filter(({ isThere }) => isThere)
          .map(({ plan, sum }) => (
            <div key={plan}>{priceOf(sum, plan)}</div>
          ))}
      </td>
    </tr>
  );
}

/** `£239.00 a month`, which does not wrap. */
const priceOf = (pence: number, plan: 'monthly' | 'annual') =>
  `${formatPence(pence, true)}${plan === 'annual' ? '\u00a0a\u00a0year' : '\u00a0a\u00a0month'}`;
