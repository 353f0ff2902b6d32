import type { Database } from '@site/platform/database/connect';
import type { CallSent } from '@site/schema/calls/calls';
import { MAX_NOTES } from '@site/schema/calls/people';

export type Note = CallSent<'GET /api/admin/leads/:id/notes'>['notes'][number];
const NOTE = ['id', 'text', 'operator', 'createdAt'] as const;

/** Lists the notes about an email, newest first. */
export const listNotes = (db: Database, emailNormalised: string): Promise<Note[]> =>
  db('notes')
    .where({ emailNormalised })
    .orderBy('createdAt', 'desc')
    .limit(MAX_NOTES)
    .select<Note[]>(...NOTE);

export async function insertNote(
  trx: Database,
  note: Pick<Note, 'id' | 'text' | 'operator'> & { emailNormalised: string },
): Promise<Note> {
  const [stored] = await trx('notes')
    .insert(note)
    .returning<Note[]>([...NOTE]);
  if (!stored) throw new Error('the note has just been inserted');
  return stored;
}

/** Deletes a note about an email. Returns false for an unknown note. */
export const deleteNoteOf = async (trx: Database, emailNormalised: string, id: string) =>
  (await trx('notes').where({ id, emailNormalised }).delete()) > 0;
