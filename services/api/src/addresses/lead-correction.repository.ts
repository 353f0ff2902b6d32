import type { Database } from '@site/platform/database/connect';
import { listLeadFields } from '@site/schema/lead-fields';

/** What a corrected lead copies: what was submitted, except the address, and the time of the consent. */
const TAKEN_OVER = listLeadFields()
  .filter(({ name, from }) => (from !== 'system' && name !== 'email') || name === 'consentTimestamp')
  .map(({ name }) => name);

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

/** Finds whose address a lead has. */
export async function findMistyped(
  db: Database,
  id: string,
): Promise<{ email: string; emailNormalised: string; fullName: string | null } | undefined> {
  return db('leads').where({ id }).first('email', 'emailNormalised', 'fullName');
}
