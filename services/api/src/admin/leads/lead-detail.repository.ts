import type { Database } from '@site/platform/database/connect';
import type { LeadRow } from '@site/platform/database/tables';

const MENTIONED = ['id', 'email', 'formType', 'submittedAt', 'beehiivStatus'] as const;
export type MentionRow = Pick<LeadRow, (typeof MENTIONED)[number]>;

/** What is told beside a lead: the correction of its address either way, and other leads of the same one. */
export async function findKin(
  db: Database,
  lead: LeadRow,
): Promise<{ correctedTo: MentionRow | undefined; correctedFrom: MentionRow | undefined; others: MentionRow[] }> {
  const mentioned = () => db<LeadRow>('leads').select<MentionRow[]>(...MENTIONED);
  const [correctedTo, correctedFrom, others] = await Promise.all([
    mentioned().where({ correctedFrom: lead.id }).first(),
    lead.correctedFrom === null ? undefined : mentioned().where({ id: lead.correctedFrom }).first(),
    mentioned()
      .where({ emailNormalised: lead.emailNormalised })
      .whereNot({ id: lead.id })
      .orderBy('submittedAt', 'desc')
      .limit(20),
  ]);
  return { correctedTo, correctedFrom, others };
}
