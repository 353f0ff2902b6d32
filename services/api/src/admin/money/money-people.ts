import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { PERIOD_LISTS, ROWS_PER_PAGE } from '@site/schema/calls/money';
import type { moneyPeopleQuery } from '@site/schema/calls/money';
import type { CallSent } from '@site/schema/calls/calls';
import type { z } from 'zod';
import { parseCursor, placeOf, toCursor } from '../../http/cursor.ts';
import { toDashboardUrl } from '../../stripe/stripe-key.ts';
import { bindPeriod } from './period.ts';

type People = CallSent<'GET /api/admin/money/people'>;
type Row = Omit<People['people'][number], 'amount' | 'dashboardUrl'> & {
  id: string | null;
  place: string;
  pence: number;
  count: number;
  totalPence: number;
};

/**
 * Their dates lie ahead, so the next comes first; elsewhere the latest does. Rows without a date
 * are last.
 */
const AHEAD = ['trial', 'paying', 'ending', 'dunning'];

/**
 * Lists one page of the rows of a figure or a stage, and the sum of all, rounded to a penny once.
 */
export async function listPeople(
  db: Database,
  { of, plan, price, cursor, ...period }: z.output<typeof moneyPeopleQuery>,
  stripeKey: string,
): Promise<People> {
  const place = parseCursor(cursor);
  const { from, to } = bindPeriod(period);
  const found = await query<Row>(
    db,
    `with listed as materialized (
       select r.stripe_subscription_id, r.at, r.pence, s.id as key, s.email, s.name, s.lead_id, s.plan,
         r.stripe_subscription_id || ' ' || r.entry as id,
         coalesce(case when :isAhead then r.at else to_timestamp(-extract(epoch from r.at)) end, 'infinity') as sort
       from money_rows r join subscriptions s using (stripe_subscription_id)
       where r.list = :of and (not :isOfPeriod or r.at >= :from::timestamptz and r.at < :to::timestamptz)
         and (:plan::text is null or s.plan = :plan) and (:price::integer is null or s.price_pence = :price)
     )
     select page.id, stripe_subscription_id, email, name, lead_id, plan, at, round(page.pence)::bigint as pence,
       (select shown.stage from shown_stages shown where shown.id = page.key) as stage,
       case when isfinite(sort) then ${placeOf('sort')} else 'infinity' end as place, total.count, total.pence as total_pence
     from (select count(*)::int as count, coalesce(round(sum(pence)), 0)::bigint as pence from listed) total left join (
       select * from listed where :placeAt::timestamptz is null or (sort, id) > (:placeAt, :placeId)
       order by sort, id limit :limit
     ) page on true order by sort, page.id`,
    {
      of,
      isAhead: AHEAD.includes(of),
      isOfPeriod: PERIOD_LISTS.some((list) => list === of),
      from,
      to,
      plan: plan ?? null,
      price: price ?? null,
      placeAt: place?.at ?? null,
      placeId: place?.id ?? null,
      limit: ROWS_PER_PAGE + 1,
    },
  );
  const { count = 0, totalPence = 0 } = found[0] ?? {};
  const rows = found.filter(({ id }) => id !== null);
  const shown = rows.slice(0, ROWS_PER_PAGE);
  const last = rows.length > ROWS_PER_PAGE ? shown.at(-1) : undefined;
  return {
    people: shown.map(({ id: _, place: __, count: ___, totalPence: ____, pence, ...row }) => ({
      ...row,
      amount: { pence, currency: 'gbp' },
      dashboardUrl: toDashboardUrl(stripeKey, row.stripeSubscriptionId),
    })),
    nextCursor: toCursor(last ? { at: last.place, id: last.id ?? '' } : null),
    total: { count, pence: totalPence, currency: 'gbp' },
  };
}
