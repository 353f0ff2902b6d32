import type { Database } from '@site/platform/database/connect';
import { queryOne } from '@site/platform/database/query';

/*
 * Ids, ours and Stripe's, of what belonged to an erased person. Stripe sends events about them for years: refunds,
 * disputes, deliveries repeated. None of them may bring the person back.
 */

export async function rememberErased(trx: Database, ids: string[]): Promise<void> {
  await trx.raw('insert into erased_ids (id) select distinct unnest(?::text[]) on conflict do nothing', [ids]);
}

/**
 * True if one of these ids belonged to an erased person. Call it behind the address lock, so that an erasure under
 * way has finished.
 */
export async function isErased(db: Database, ids: (string | null)[]): Promise<boolean> {
  const row = await queryOne<{ isErased: boolean }>(
    db,
    'select exists (select from erased_ids where id = any(?::text[])) as is_erased',
    [ids.filter((id) => id !== null)],
  );
  return row.isErased;
}
