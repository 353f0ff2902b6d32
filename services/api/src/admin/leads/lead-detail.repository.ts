import type { Database } from '@site/platform/database/connect';
import type { LeadRow } from '@site/platform/database/tables';
import { SHOWN } from './lead-answer.ts';
import type { ShownLeadRow } from './lead-answer.ts';
import type { Subscriber } from './lead-history.ts';
import { MAX_ENTRIES } from './lead-money.repository.ts';

export const findShownLead = (db: Database, id: string) =>
  db('leads').where({ id }).first<ShownLeadRow | undefined>(db.raw(SHOWN));

/**
 * Lists the leads of an email's person: its own, then copies, then corrected leads, newest first.
 */
export const listLeads = (db: Database, emailNormalised: string): Promise<ShownLeadRow[]> =>
  db<LeadRow>('leads')
    .where({ emailNormalised })
    .whereRaw('id not in (select id from departed_leads where email_normalised = ?)', [
      emailNormalised,
    ])
    .orderByRaw(
      `corrected_to is not null,
       exists (select from leads mistyped where mistyped.corrected_to = leads.id),
       submitted_at desc, id desc`,
    )
    .limit(MAX_ENTRIES)
    .select<ShownLeadRow[]>(db.raw(SHOWN));

/** Finds the mistyped lead that a lead replaced. */
export const findCorrectedFrom = (db: Database, id: string) =>
  db<LeadRow>('leads').where({ correctedTo: id }).first('id', 'email');

/** Reads Beehiiv's last answer about an email. */
export const findSubscriber = (db: Database, emailNormalised: string) =>
  db('people')
    .where({ emailNormalised })
    .whereNotNull('status')
    .first<Subscriber | undefined>('status', 'statusSince', 'learnedAt');
