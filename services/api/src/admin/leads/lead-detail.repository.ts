import type { Database } from '@site/platform/database/connect';
import type { LeadRow } from '@site/platform/database/tables';
import { SHOWN } from './lead-answer.ts';
import type { ShownLeadRow } from './lead-answer.ts';
import { MAX_ENTRIES } from './lead-money.repository.ts';

export const findShownLead = (db: Database, id: string) =>
  db('leads').where({ id }).first<ShownLeadRow | undefined>(db.raw(SHOWN));

/** Lists the leads of an email, newest first. */
export const listLeadsOf = (db: Database, emailNormalised: string): Promise<ShownLeadRow[]> =>
  db<LeadRow>('leads')
    .where({ emailNormalised })
    .orderByRaw('submitted_at desc, id desc')
    .limit(MAX_ENTRIES)
    .select<ShownLeadRow[]>(db.raw(SHOWN));

/** Finds the email that a lead had before its last correction. */
export async function findFormerEmail(db: Database, leadId: string): Promise<string | null> {
  const former = await db('former_emails')
    .where({ leadId })
    .orderBy('id', 'desc')
    .first<{ email: string } | undefined>('email');
  return former?.email ?? null;
}

/** Beehiiv's last answer about an email. */
export type Subscriber = { status: string; learnedAt: Date };

/** Reads Beehiiv's last answer about an email. */
export const findSubscriber = (db: Database, emailNormalised: string) =>
  db('people')
    .where({ emailNormalised })
    .whereNotNull('status')
    .first<Subscriber | undefined>('status', 'learnedAt');
