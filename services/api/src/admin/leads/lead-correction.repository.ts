import type { Database } from '@site/platform/database/connect';
import { lead } from '@site/schema/stored-lead';

/** What a corrected lead does not take over: its own address and times, and how the first one fared. */
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

/** A new lead with everything of the first but its address, due now. False when the first has such a lead already. */
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
