import type { Database } from '@site/platform/database/connect';

/** Reads when the first lead reached Beehiiv. Returns null before that. */
export async function readFirstSent(db: Database): Promise<Date | null> {
  const sent = db('leads').where({ beehiivStatus: 'sent' }).orderBy('submittedAt');
  return (await sent.first('beehiivSentAt'))?.beehiivSentAt ?? null;
}
