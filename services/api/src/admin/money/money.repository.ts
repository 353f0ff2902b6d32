import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { SUBSCRIPTION_STAGES } from '@site/schema/money';
import type { CallSent } from '@site/schema/calls/calls';

type Money = CallSent<'GET /api/admin/money'>;

export async function countStages(db: Database): Promise<Money['stages']> {
  const rows = await db('subscriptions')
    .groupBy('stage')
    .select('stage')
    .count<{ stage: string; count: number }[]>();
  const counts = new Map(rows.map(({ stage, count }) => [stage, count]));
  return Object.fromEntries(
    SUBSCRIPTION_STAGES.map((stage) => [stage, counts.get(stage) ?? 0]),
  ) as Money['stages'];
}

/** Reads the subscriptions in the MRR, by plan and price, and their sum, rounded once. */
export async function readPrices(db: Database): Promise<Pick<Money, 'prices' | 'mrr'>> {
  const rows = await query<Money['prices'][number] & { isTotal: boolean }>(
    db,
    `select plan, price_pence as price, count(*)::int as count, coalesce(round(sum(monthly_pence)), 0)::bigint as pence,
       'gbp' as currency, grouping(plan) = 1 as is_total
     from subscriptions where status in ('active', 'past_due') and price_pence > 0 and not is_collection_paused group by grouping sets ((), (1, 2)) order by is_total, pence desc, 1, 2`,
  );
  const toPrice = ({ isTotal: _, ...row }: (typeof rows)[number]) => row;
  const { count, pence } = rows.at(-1) ?? { count: 0, pence: 0 };
  return {
    prices: rows.filter(({ isTotal }) => !isTotal).map(toPrice),
    mrr: { count, pence, currency: 'gbp' },
  };
}
