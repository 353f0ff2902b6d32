import type { Database } from '@site/platform/database/connect';
import type { CallSent } from '@site/schema/calls/calls';

const RECEIPT = [
  ...(['id', 'requestedBy', 'requestedAt', 'erased', 'attempts'] as const),
  ...(['lastMessage', 'reason', 'nextAttemptAt', 'deletedAt', 'doneAt'] as const),
] as const;
type Sent = CallSent<'GET /api/admin/people/erasures'>['erasures'][number];
export type ReceiptRow = Omit<Sent, 'kept'>;

/**
 * Stores the receipt of an erasure with its counts. If nothing was erased here, an open receipt of
 * the email becomes due again at Beehiiv instead. The caller must hold the person's lock.
 */
export async function storeErasure(
  trx: Database,
  {
    id,
    email,
    operator,
    erased,
  }: { id: string; email: string; operator: string; erased: Record<string, number> },
): Promise<ReceiptRow> {
  const requests = () => trx('removal_requests');
  const open = requests()
    .where({ kind: 'erasure', emailNormalised: email })
    .whereNull('doneAt')
    .orderBy('requestedAt', 'desc')
    .limit(1)
    .select('id');
  const isRepeat = Object.values(erased).every((count) => count === 0);
  const [renewed] = isRepeat
    ? await requests()
        .whereIn('id', open)
        .update({ nextAttemptAt: trx.raw('sync_now()'), deletedAt: null })
        .returning<ReceiptRow[]>([...RECEIPT])
    : [];
  if (renewed) return renewed;
  const [row] = await requests()
    .insert({
      id,
      kind: 'erasure',
      emailNormalised: email,
      requestedBy: operator,
      // All receipts of an erasure share the same time.
      requestedAt: trx.raw('now()'),
      erased: JSON.stringify(erased),
    })
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
