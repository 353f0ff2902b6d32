import type { Database } from '@site/platform/database/connect';

type Counts = { total: number; preSample: number; preBuy: number; sent: number };

/** Counts the four counters from the rows, not from the stored counts. */
export async function readCounts(db: Database, where = 'true'): Promise<Counts> {
  const { rows } = await db.raw(
    `select count(*)::int as total, (count(*) filter (where form_type = 'pre_sample'))::int as pre_sample,
       (count(*) filter (where form_type = 'pre_buy'))::int as pre_buy,
       (count(*) filter (where beehiiv_status = 'sent'))::int as sent
     from leads where ${where}`,
  );
  return rows[0];
}

/** The counters as shown. */
export function toFigures({ total, preSample, preBuy, sent }: Counts): string[] {
  return [total, preSample, preBuy, sent].map((count) => count.toLocaleString('en-GB'));
}
