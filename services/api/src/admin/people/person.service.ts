import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';
import { isSameEmail } from '@site/schema/email';
import { MAX_NOTES, MAX_OF_PERSON } from '@site/schema/calls/people';
import { recordAction } from '../../audit/audit.repository.ts';
import { problem } from '../../http/problem.ts';
import { toLead } from '../leads/lead-answer.ts';
import { listLeads, readHeld } from '../leads/lead-detail.service.ts';
import type { DetailDeps } from '../leads/lead-detail.service.ts';
import type { Remedy } from '@site/schema/differences';
import { NOT_RECEIVING_REASONS } from '@site/schema/money';
import type { NotReceivingReason } from '@site/schema/money';

export type PersonDeps = DetailDeps & { newId: () => string };

/** Reads everything about the person of a lead. Throws 404. */
export async function readPerson(
  deps: PersonDeps,
  leadId: string,
): Promise<CallSent<'GET /api/admin/leads/:id/person'>> {
  const { db } = deps;
  const emailNormalised = await findEmail(db, leadId);
  const leads = await listLeads(db, emailNormalised);
  // Follows the corrections to the newest lead.
  const shown = leads.find(({ id }) => id === leadId) ?? leads[0];
  if (!shown) throw problem('not-found', { detail: 'There is no lead with this id.' });
  const [{ detail, subscriber }, state, notReceiving, differences] = await Promise.all([
    readHeld(deps, shown, leads),
    readState(db, emailNormalised),
    findNotReceiving(db, emailNormalised),
    listRemedies(db, emailNormalised),
  ]);
  const { subscriptions, freeAccess } = detail;
  const others = subscriptions
    .flatMap(({ email, readers }) => [email, ...readers])
    .concat(freeAccess?.paidBy ?? [])
    .filter((email) => !isSameEmail(email, emailNormalised));
  return {
    ...detail,
    ...state,
    leads: leads.slice(0, MAX_OF_PERSON).map(toLead),
    notReceiving,
    differences,
    subscriber: subscriber ? { status: subscriber.status, learnedAt: subscriber.learnedAt } : null,
    others: await listOthers(db, others),
  };
}

type State = Pick<
  CallSent<'GET /api/admin/leads/:id/person'>,
  'state' | 'since' | 'until' | 'reason' | 'mainSubscription'
>;

async function readState(db: Database, emailNormalised: string): Promise<State> {
  const [state] = await query<State>(
    db,
    `select state, since, until, reason, main_subscription from person_states
     where email_normalised = :emailNormalised`,
    { emailNormalised },
    'read-state',
  );
  // A lead of moments ago.
  return state ?? { state: 'none', since: null, until: null, reason: null, mainSubscription: null };
}

const listRemedies = (db: Database, emailNormalised: string) =>
  query<CallSent<'GET /api/admin/leads/:id/person'>['differences'][number]>(
    db,
    `select id, remedy, requested_at is not null as is_requested from differences
     where email_normalised = :emailNormalised and remedy is not null order by id`,
    { emailNormalised },
  );

const listOthers = (db: Database, emails: string[]) =>
  query<CallSent<'GET /api/admin/leads/:id/person'>['others'][number]>(
    db,
    `select distinct on (email_normalised) leads.email, leads.id as lead_id, people.status
     from leads left join people using (email_normalised)
     where email_normalised = any(array(select lower(unnest(:emails::text[]))))
     order by email_normalised, submitted_at desc, leads.id desc`,
    { emails },
  );

type Note = CallSent<'GET /api/admin/leads/:id/notes'>['notes'][number];
const OF_NOTE = ['id', 'text', 'operator', 'createdAt'] as const;

/** Lists the notes about the person of a lead, newest first. Throws 404. */
export async function readNotes(db: Database, leadId: string): Promise<{ notes: Note[] }> {
  const emailNormalised = await findEmail(db, leadId);
  const notes = db('notes')
    .where({ emailNormalised })
    .orderBy('createdAt', 'desc')
    .limit(MAX_NOTES);
  return { notes: await notes.select<Note[]>(...OF_NOTE) };
}

/** Stores a note about the person of a lead, and records that it was written, without its text. Throws 404. */
export async function writeNote(
  { db, newId }: PersonDeps,
  operator: string,
  leadId: string,
  text: string,
) {
  return db.transaction(async (trx) => {
    // A correction moves the notes of an email, so it must end before the note is stored, or wait.
    await trx('leads').where({ id: leadId }).forUpdate().first('id');
    const emailNormalised = await findEmail(trx, leadId);
    const [note] = await trx('notes')
      .insert({ id: newId(), emailNormalised, text, operator })
      .returning<Note[]>([...OF_NOTE]);
    if (!note) throw new Error('the note has just been inserted');
    await recordAction(trx, { operator, action: 'note', subject: leadId });
    return note;
  });
}

/** Deletes a note about the person of a lead, and records that, without its text. Throws 404. */
export async function deleteNote(
  db: Database,
  operator: string,
  leadId: string,
  noteId: string,
): Promise<void> {
  await db.transaction(async (trx) => {
    const emailNormalised = await findEmail(trx, leadId);
    const deleted = await trx('notes').where({ id: noteId, emailNormalised }).delete();
    if (deleted === 0) throw problem('not-found', { detail: 'There is no such note.' });
    await recordAction(trx, { operator, action: 'delete-note', subject: leadId });
  });
}

/** Finds the email of a lead's person: of a corrected lead, the correct one. Throws 404. */
async function findEmail(db: Database, id: string): Promise<string> {
  const [lead] = await query<{ emailNormalised: string }>(
    db,
    `with recursive theirs as (
       select email_normalised, corrected_to, 0 as step from leads where id = :id
       union all
       select later.email_normalised, later.corrected_to, step + 1 from leads later join theirs on later.id = theirs.corrected_to
     ) select email_normalised from theirs order by step desc limit 1`,
    { id },
  );
  if (!lead) throw problem('not-found', { detail: 'There is no lead with this id.' });
  return lead.emailNormalised;
}

type NotReceiving = NonNullable<CallSent<'GET /api/admin/leads/:id/person'>['notReceiving']>;

/** Remedies of the comparison by reason. */
const OFFERED: Partial<Record<NotReceivingReason, 'add-again' | 'set-premium'>> = {
  'not-at-beehiiv': 'add-again',
  'not-premium': 'set-premium',
};

/**
 * Finds why a normalised email that is paid for does not receive the paid issue (rule 3.14), and
 * what to do about it. Returns null if it does.
 */
export async function findNotReceiving(
  db: Database,
  emailNormalised: string,
): Promise<NotReceiving | null> {
  const [row] = await query<Omit<NotReceiving, 'remedy'> & { offered: Remedy | null }>(
    db,
    `select email, lead_id, difference_id, reason, difference_remedy as offered
     from not_receiving where email_normalised = :emailNormalised`,
    { emailNormalised },
    'find-not-receiving',
  );
  if (!row) return null;
  const { offered, ...found } = row;
  const remedy = OFFERED[row.reason];
  return {
    ...found,
    remedy:
      remedy !== undefined && remedy === offered
        ? remedy
        : NOT_RECEIVING_REASONS[row.reason].remedy,
  };
}
