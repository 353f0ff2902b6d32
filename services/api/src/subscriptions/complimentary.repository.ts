import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';

/*
 * Complimentary access: an address that gets the paid issue without paying, until a date. It counts as paid until then.
 */

/** Stores until when an address has complimentary access. A later call replaces an earlier one. */
export async function storeComplimentary(
  trx: Database,
  { email, until, operator }: { email: string; until: Date; operator: string },
): Promise<void> {
  await trx.raw(
    `insert into complimentary_access (email_normalised, until, granted_by) values (lower(:email), :until, :operator)
     on conflict (email_normalised) do update set until = excluded.until, granted_by = excluded.granted_by,
       granted_at = now(), ended_at = null`,
    { email, until, operator },
  );
}

/** True if the address has complimentary access now. */
export async function hasComplimentary(trx: Database, email: string): Promise<boolean> {
  const row = await queryOne<{ has: boolean }>(
    trx,
    `select exists (select from complimentary_access where email_normalised = lower(:email) and until > now()) as has`,
    { email },
  );
  return row.has;
}

/** Lists addresses whose complimentary access is over, and not yet ended here. */
export async function listEndedComplimentary(db: Database): Promise<string[]> {
  const rows = await query<{ email: string }>(
    db,
    `select email_normalised as email from complimentary_access where ended_at is null and until <= now()
     order by until limit 100`,
  );
  return rows.map(({ email }) => email);
}

export async function markComplimentaryEnded(trx: Database, email: string): Promise<void> {
  await trx.raw('update complimentary_access set ended_at = now() where email_normalised = ? and until <= now()', [
    email,
  ]);
}
