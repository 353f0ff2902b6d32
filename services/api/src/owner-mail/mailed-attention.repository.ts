import { GRAVE_KINDS, OWN_KINDS } from '@site/schema/conditions';
import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { Attention, News } from '../admin/money/attention-list.ts';

/**
 * Marks items of earlier emails as resolved, so that they are news if they return. Leaves out the
 * failures that each process mails for itself, because `own-mail.ts` resolves them.
 */
export async function forgetResolved(db: Database, { items }: Attention): Promise<void> {
  await query(
    db,
    `with forgotten as (
       delete from mailed_attention where resolved_at < sync_now() - interval '10 minutes'
     )
     update mailed_attention set resolved_at = sync_now()
     where resolved_at is null and item <> all(:kept::text[])
       and not exists (select from attention matter where matter.item = mailed_attention.item)`,
    { kept: [...OWN_KINDS, ...items.map(({ id }) => id)] },
  );
}

/**
 * Lists the items that a mail counts, even beyond those it names. Call it before the mail's items
 * are read: what arrives or becomes due in between is in the next mail.
 */
export async function listCounted(db: Database, only: News): Promise<string[]> {
  const rows = await query<{ item: string }>(
    db,
    'select item from attention where not :isGrave or kind = any(:grave)',
    { isGrave: only === 'grave-news', grave: GRAVE_KINDS },
  );
  return rows.map(({ item }) => item);
}

/** Records that these items were in an email. */
export async function markMailed(db: Database, items: string[], only: News): Promise<void> {
  await query(
    db,
    `insert into mailed_attention (item)
     select distinct unnest(:items::text[])
     on conflict (item) do update set resolved_at = null where not :isGrave`,
    { items, isGrave: only === 'grave-news' },
  );
}
