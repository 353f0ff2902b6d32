import type { Database } from '@site/platform/database/connect';
import type { Row } from '@site/platform/database/tables';

const RECEIPT = [
  ...(['id', 'requestedBy', 'requestedAt', 'erased', 'attempts'] as const),
  ...(['lastMessage', 'reason', 'nextAttemptAt', 'deletedAt', 'doneAt'] as const),
] as const;
export type ReceiptRow = Pick<Row<'removal_requests'>, (typeof RECEIPT)[number]> & {
  erased: Record<string, number>;
};

/**
 * Stores the receipt of an erasure. An open receipt for the same email becomes due again at
 * Beehiiv.
 */
export async function upsertErasure(
  trx: Database,
  {
    id,
    email,
    operator,
    erased,
  }: { id: string; email: string; operator: string; erased: Record<string, number> },
): Promise<ReceiptRow> {
  const [row] = await trx('removal_requests')
    .insert({
      id,
      kind: 'erasure',
      emailNormalised: email,
      requestedBy: operator,
      // All receipts of an erasure share the same time.
      requestedAt: trx.raw('now()'),
      erased: JSON.stringify(erased),
    })
    .onConflict(trx.raw('(email_normalised, kind) where done_at is null'))
    .merge({ nextAttemptAt: trx.raw('sync_now()'), deletedAt: null })
    .returning<ReceiptRow[]>([...RECEIPT]);
  if (!row) throw new Error('the erasure has just been inserted');
  return row;
}

export async function listErasures(db: Database, limit: number): Promise<ReceiptRow[]> {
  return (
    db('removal_requests')
      .where({ kind: 'erasure' })
      // The receipt that lists the records comes before the receipts for the erasure's other
      // emails.
      .orderByRaw(`requested_at desc, erased = '{}'`)
      .limit(limit)
      .select<ReceiptRow[]>(...RECEIPT)
  );
}
