import type { Database } from '@site/platform/database/connect';
import { lockFound } from '@site/platform/people/person';
import type { CallSent } from '@site/schema/calls/calls';
import { isSameEmail } from '@site/schema/email';
import { MAX_OF_PERSON } from '@site/schema/calls/people';
import { recordAction } from '../../audit/audit.repository.ts';
import { problem } from '../../http/problem.ts';
import { findLead } from '../../leads/lead.repository.ts';
import { toLead } from '../leads/lead-answer.ts';
import { listLeadsOf } from '../leads/lead-detail.repository.ts';
import { readHeld } from '../leads/lead-detail.service.ts';
import type { DetailDeps } from '../leads/lead-detail.service.ts';
import { listOthers, listRemedies } from './person.repository.ts';
import { deleteNoteOf, insertNote, listNotes } from '../leads/note.repository.ts';
import type { Note } from '../leads/note.repository.ts';

export type PersonDeps = DetailDeps & { newId: () => string };

/** Reads everything about the person of a lead. Throws 404. */
export async function readPerson(
  deps: PersonDeps,
  leadId: string,
): Promise<CallSent<'GET /api/admin/leads/:id/person'>> {
  const { db } = deps;
  const emailNormalised = await findEmail(db, leadId);
  const leads = await listLeadsOf(db, emailNormalised);
  // Follows the corrections to the newest lead.
  const shown = leads.find(({ id }) => id === leadId) ?? leads[0];
  if (!shown) throw problem('not-found', { detail: 'There is no lead with this id.' });
  const [{ detail, person }, differences] = await Promise.all([
    readHeld(deps, shown, leads),
    listRemedies(db, emailNormalised),
  ]);
  const { subscriptions, freeAccess } = detail;
  const others = subscriptions
    .flatMap(({ email, readers }) => [email, ...readers])
    .concat(freeAccess?.paidBy ?? [])
    .filter((email) => !isSameEmail(email, emailNormalised));
  return {
    ...detail,
    ...person,
    leads: leads.slice(0, MAX_OF_PERSON).map(toLead),
    differences,
    others: await listOthers(db, others),
  };
}

/** Lists the notes about the person of a lead, newest first. Throws 404. */
export async function readNotes(db: Database, leadId: string): Promise<{ notes: Note[] }> {
  return { notes: await listNotes(db, await findEmail(db, leadId)) };
}

/**
 * Stores a note about the person of a lead, and records the writing, without the text. Throws 404.
 */
export async function writeNote(
  { db, newId }: PersonDeps,
  operator: string,
  leadId: string,
  text: string,
) {
  return db.transaction(async (trx) => {
    const emailNormalised = await lockPersonOf(trx, leadId);
    const note = await insertNote(trx, { id: newId(), emailNormalised, text, operator });
    await recordAction(trx, { operator, action: 'note', subject: leadId });
    return note;
  });
}

/**
 * Deletes a note about the person of a lead, and records the deletion, without the text. Throws
 * 404.
 */
export async function deleteNote(
  db: Database,
  operator: string,
  leadId: string,
  noteId: string,
): Promise<void> {
  await db.transaction(async (trx) => {
    const emailNormalised = await lockPersonOf(trx, leadId);
    if (!(await deleteNoteOf(trx, emailNormalised, noteId)))
      throw problem('not-found', { detail: 'There is no such note.' });
    await recordAction(trx, { operator, action: 'delete-note', subject: leadId });
  });
}

/** Locks a lead's person, whose notes a correction moves. Returns their email. Throws 404. */
async function lockPersonOf(trx: Database, leadId: string): Promise<string> {
  const { found } = await lockFound(trx, async (db) => {
    const email = await findEmail(db, leadId);
    return { found: email, emails: [email] };
  });
  return found;
}

/** Finds the email of a lead's person. Throws 404. */
async function findEmail(db: Database, leadId: string): Promise<string> {
  const lead = await findLead(db, leadId);
  if (!lead) throw problem('not-found', { detail: 'There is no lead with this id.' });
  return lead.emailNormalised;
}
