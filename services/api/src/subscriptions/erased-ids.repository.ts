import type { Database } from '@site/platform/database/connect';
import { queryOne } from '@site/platform/database/query';

/*
 * Ids, ours and Stripe's, of what belonged to somebody who was erased. Stripe tells of it for years to come:
 * money that is given back, a dispute, an event delivered again. None of it may bring the person back.
 */

/** Keeps ids that are to be known again, in the transaction that erases what they name. */
export async function rememberErased(trx: Database, ids: string[]): Promise<void> {
  await trx.raw('insert into erased_ids (id) select distinct unnest(?::text[]) on conflict do nothing', [ids]);
}

/** Whether one of these belonged to somebody who was erased. Asked behind the lock of the address, an erasure under way is over. */
export async function isErased(db: Database, ids: (string | null)[]): Promise<boolean> {
  const row = await queryOne<{ isErased: boolean }>(
    db,
    'select exists (select from erased_ids where id = any(?::text[])) as is_erased',
    [ids.filter((id) => id !== null)],
  );
  return row.isErased;
}
