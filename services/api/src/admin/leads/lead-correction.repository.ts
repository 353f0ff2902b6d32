import type { Database } from '@site/platform/database/connect';
import { lead } from '@site/schema/stored-lead';

/** Fields that a corrected lead does not copy: its own address and times, and the sync of the first lead. */
const OWN = new Set([
  'id',
  'email',
  'submittedAt',
  'createdAt',
  'updatedAt',
  'beehiivStatus',
  'beehiivResponse',
  'beehiivSentAt',
  'subscriberStatus',
  'nextAttemptAt',
  'quarantineReason',
  'correctedFrom',
]);
const TAKEN_OVER = Object.keys(lead.shape).filter((name) => !OWN.has(name));

/** Inserts a copy of the lead with another address, due now. Returns false if the lead was corrected already. */
export async function insertCorrection(
  db: Database,
  { id, email, correctedFrom }: { id: string; email: string; correctedFrom: string },
): Promise<boolean> {
  const inserted = await db
    .into(db.raw('?? (??)', ['leads', ['id', 'email', 'correctedFrom', ...TAKEN_OVER]]))
    .insert(
      db('leads')
        .where({ id: correctedFrom })
        .select(db.raw('?::uuid, ?, ?::uuid', [id, email, correctedFrom]), ...TAKEN_OVER),
    )
    .onConflict(db.raw('(corrected_from) where corrected_from is not null'))
    .ignore()
    .returning<{ id: string }[]>('id');
  return inserted.length === 1;
}
