import type { Database } from '@site/platform/database/connect';
import type { LeadRow } from '@site/platform/database/tables';

const MENTIONED = ['id', 'email', 'formType', 'submittedAt', 'beehiivStatus'] as const;
export type MentionRow = Pick<LeadRow, (typeof MENTIONED)[number]>;

const mentions = (db: Database) => db<LeadRow>('leads').select<MentionRow[]>(...MENTIONED);

/** Finds the lead that corrects this one's address. */
export async function findCorrection(db: Database, leadId: string): Promise<MentionRow | undefined> {
  return mentions(db).where({ correctedFrom: leadId }).first();
}

/** Finds the corrections of a lead's address in either direction. */
export async function findRelatedLeads(
  db: Database,
  lead: LeadRow,
): Promise<{ correctedTo: MentionRow | undefined; correctedFrom: MentionRow | undefined }> {
  const [correctedTo, correctedFrom] = await Promise.all([
    findCorrection(db, lead.id),
    lead.correctedFrom === null ? undefined : mentions(db).where({ id: lead.correctedFrom }).first(),
  ]);
  return { correctedTo, correctedFrom };
}
