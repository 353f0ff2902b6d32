import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { SubscriptionRow } from '@site/platform/database/tables';
import { MAX_SOURCES, PEOPLE_PER_PAGE } from '@site/schema/calls/money-figures';
import type { MoneyFiguresAnswer, MoneyPeople, MoneySource } from '@site/schema/calls/money-figures';
import { IN_POUNDS, LOST_DISPUTES, REFUNDS } from '../../subscriptions/payment.repository.ts';
import type { MoneyOutcomes } from '@site/schema/calls/money-outcomes';
import { placeOf } from '../../http/cursor.ts';
import type { Place } from '../../http/cursor.ts';
import { IS_RECURRING, MONTHLY } from '../../subscriptions/recurring.ts';
import { bind, FROM, isAhead, isDated, ofSource, PEOPLE, within } from './money-people.ts';
import type { Moment } from './money-people.ts';

/** Counts and sums the people of a figure or a stage, of any source or of one. The sum is rounded to a penny once. */
export async function readFigure(
  db: Database,
  of: MoneyPeople,
  moment: Moment,
  source: MoneySource = {},
): Promise<{ count: number; pence: number }> {
  const { from, where, bindings } = ofSource(PEOPLE[of], source);
  return queryOne(
    db,
    `select count(*) as count, coalesce(round(sum(pence)), 0)::bigint as pence from ${from} where ${where}`,
    { ...bind(moment), ...bindings },
  );
}

/** Counts those who could churn: payers when the period began, and those who first paid in it. */
export async function countPayers(db: Database, moment: Moment): Promise<MoneyFiguresAnswer['payers']> {
  return queryOne(
    db,
    `select (select count(*) from subscriptions
         where first_paid_at < ${FROM} and (ended_at is null or ended_at >= ${FROM})) as at_start,
       (select count(*) from subscriptions where ${within('first_paid_at')}) as joined`,
    bind(moment),
  );
}

/** Sums what was paid and refunded in the period, and the MRR of now, by two columns of each subscription's lead. */
const revenueBy = (columns: string) => `with moved as (
       select stripe_subscription_id as id, paid_pence as paid, 0 as returned, 0 as lost
       from stripe_invoices i where paid_pence > 0 and ${IN_POUNDS} and ${within('paid_at')}
       union all
       select i.stripe_subscription_id, 0, r.amount_pence, 0
       from ${REFUNDS} where ${IN_POUNDS} and ${within('r.refunded_at')}
       union all
       select i.stripe_subscription_id, 0, d.amount_pence, d.amount_pence
       from ${LOST_DISPUTES} where ${IN_POUNDS} and ${within('d.lost_at')}
     ), by_subscription as (
       select id, sum(paid) as paid, sum(returned) as returned, sum(lost) as lost from moved group by id
     )
     select ${columns}, count(*) filter (where paid > 0) as subscriptions,
       coalesce(sum(paid), 0)::bigint as paid_pence, coalesce(sum(returned), 0)::bigint as returned_pence,
       coalesce(sum(lost), 0)::bigint as lost_pence,
       coalesce(round(sum(${MONTHLY}) filter (where ${IS_RECURRING})), 0)::bigint as monthly_pence,
       sum(count(*) filter (where paid > 0)) over ()::int as payers,
       coalesce(sum(sum(paid)) over (), 0)::bigint as all_pence
     from subscriptions s left join by_subscription on by_subscription.id = s.stripe_subscription_id
       left join leads l on l.id = s.lead_id
     where by_subscription.id is not null or ${IS_RECURRING}
     group by 1, 2 order by coalesce(sum(paid) - sum(returned), 0) desc, monthly_pence desc, 1, 2 limit ${MAX_SOURCES}`;

/** Sums revenue by button and campaign, and counts who paid. */
export async function readRevenue(db: Database, moment: Moment): Promise<Pick<MoneyFiguresAnswer, 'paid' | 'revenue'>> {
  const rows = await query<MoneyFiguresAnswer['revenue'][number] & { payers: number; allPence: number }>(
    db,
    revenueBy('l.utm_source as source, l.visit_utm_campaign as campaign'),
    bind(moment),
  );
  return {
    paid: { count: rows[0]?.payers ?? 0, pence: rows[0]?.allPence ?? 0 },
    revenue: rows.map(({ payers: _, allPence: __, ...row }) => row),
  };
}

/** Sums revenue by channel, the source of the visit. */
export async function readChannels(db: Database, moment: Moment): Promise<MoneyOutcomes['channels']> {
  const rows = await query<MoneyOutcomes['channels'][number]>(
    db,
    revenueBy('l.visit_utm_source as channel, null::text as part'),
    bind(moment),
  );
  return rows.map(({ channel, subscriptions, paidPence, returnedPence, monthlyPence }) => {
    return { channel, subscriptions, paidPence, returnedPence, monthlyPence };
  });
}

/** The VAT within what was paid in the period. Null for a payment whose invoice has not been read since 0.2.0. */
const PAID_TAX = 'round(paid_pence * (tax_pence::numeric / nullif(total_pence, 0)))';

/** Reads what the figures of the period say of VAT, and what they leave out because it is not in pounds. */
export async function readRemarks(db: Database, moment: Moment): Promise<Pick<MoneyFiguresAnswer, 'vat' | 'leftOut'>> {
  const [vat, currencies, { subscriptions }] = await Promise.all([
    queryOne<MoneyFiguresAnswer['vat']>(
      db,
      `select coalesce(sum(${PAID_TAX}), 0)::bigint as pence, count(*) filter (where tax_pence is null)::int as unknown
       from stripe_invoices i where paid_pence > 0 and ${IN_POUNDS} and ${within('paid_at')}`,
      bind(moment),
    ),
    query<MoneyFiguresAnswer['leftOut']['currencies'][number]>(
      db,
      `select currency, sum(paid)::bigint as paid_pence, sum(refunded)::bigint as refunded_pence from (
         select currency, paid_pence as paid, 0 as refunded from stripe_invoices i
           where paid_pence > 0 and not ${IN_POUNDS} and ${within('paid_at')}
         union all
         select currency, 0, r.amount_pence from ${REFUNDS}
           where not ${IN_POUNDS} and ${within('r.refunded_at')}
       ) moved group by currency order by currency`,
      bind(moment),
    ),
    queryOne<{ subscriptions: number }>(
      db,
      `select count(*)::int as subscriptions from subscriptions where is_live and 'price' = any(unread_parts)`,
    ),
  ]);
  return { vat, leftOut: { currencies, subscriptions } };
}

type PersonRow = Pick<SubscriptionRow, 'stripeSubscriptionId' | 'email' | 'name' | 'leadId' | 'stage' | 'plan'> & {
  pence: number;
  at: Date | null;
  place: string;
};

/** Lists one page of whom a figure or a stage is about, and the place to continue from. */
export async function listPeople(
  db: Database,
  of: MoneyPeople,
  source: MoneySource,
  moment: Moment,
  place: Place | null,
): Promise<{ rows: PersonRow[]; next: Place | null }> {
  const [order, beyond] = isAhead(of) ? ['asc', '>'] : ['desc', '<'];
  // Those without a time come last in either order.
  const never = isAhead(of) ? 'infinity' : '-infinity';
  const at = isDated(of) ? 'at' : `coalesce(at, '${never}')`;
  const { from, where, bindings } = ofSource(PEOPLE[of], source);
  const rows = await query<PersonRow>(
    db,
    `select people.stripe_subscription_id, people.email, name, people.lead_id, stage, plan, round(pence)::bigint as pence,
       at, coalesce(${placeOf('at')}, '${never}') as place
     from ${from}
     where ${where} ${place ? `and ${at} ${beyond}= :placeAt::timestamptz and (${at}, stripe_subscription_id) ${beyond} (:placeAt::timestamptz, :placeId)` : ''}
     order by ${at} ${order}, stripe_subscription_id ${order} limit ${PEOPLE_PER_PAGE + 1}`,
    { ...bind(moment), ...bindings, ...(place && { placeAt: place.at, placeId: place.id }) },
  );
  const shown = rows.slice(0, PEOPLE_PER_PAGE);
  const last = rows.length > PEOPLE_PER_PAGE ? shown.at(-1) : undefined;
  return { rows: shown, next: last ? { at: last.place, id: last.stripeSubscriptionId } : null };
}
