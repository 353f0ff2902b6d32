import type { Database } from '@site/platform/database/connect';
import type { CallSent } from '@site/schema/calls/calls';
import { MAX_NOTES } from '@site/schema/calls/people';

type Note = CallSent<'GET /api/admin/leads/:id/notes'>['notes'][number];

const COLUMNS = ['id', 'text', 'operator', 'createdAt'] as const;

/** Lists the notes about an address, newest first. */
export async function listNotes(db: Database, emailNormalised: string): Promise<Note[]> {
  return db('notes')
    .where({ emailNormalised })
    .orderBy('createdAt', 'desc')
    .limit(MAX_NOTES)
    .select<Note[]>(...COLUMNS);
}

export async function insertNote(
  trx: Database,
  note: { id: string; emailNormalised: string; text: string; operator: string },
): Promise<Note> {
  const [row] = await trx('notes')
    .insert(note)
    .returning<Note[]>([...COLUMNS]);
  if (!row) throw new Error('the note has just been inserted');
  return row;
}
