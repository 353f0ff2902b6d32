import type { Database } from '@site/platform/database/connect';
import type { LeadRow } from '@site/platform/database/tables';
import { listLeadFields } from '@site/schema/lead-fields';
import type { LeadValues, LeadValuesFrom } from '@site/schema/lead';

/*
 * The row of a lead. Once this INSERT is committed, the lead cannot be lost.
 * Before: `submission.repository.ts`. Next: the outbox, whose columns start at their defaults.
 */

/** A lead as it is first stored. */
export type NewLead = LeadValuesFrom<'form' | 'browser' | 'server'> &
  Pick<
    LeadValues,
    'id' | 'submittedAt' | 'consentTimestamp' | 'quarantineReason' | 'beehiivStatus' | 'beehiivResponse'
  >;

/** A quarantined lead has no next attempt. Any other is due now, on the database's clock. */
export async function insertLead(db: Database, lead: NewLead): Promise<void> {
  await db('leads').insert({ ...lead, ...(lead.quarantineReason === null ? {} : { nextAttemptAt: null }) });
}

/** Records that a visitor of the external sample site asked for a sample. */
export async function insertSampleRequest(db: Database, id: string, lead: NewLead): Promise<void> {
  await db('sample_requests').insert({
    id,
    email: lead.email,
    name: lead.fullName,
    company: lead.company,
    leadId: lead.id,
  });
}

export async function readLeadForRepeat(
  db: Database,
  leadId: string,
): Promise<Pick<LeadRow, 'beehiivStatus' | 'quarantineReason'>> {
  const row = await db<LeadRow>('leads').where({ id: leadId }).first('beehiivStatus', 'quarantineReason');
  if (!row) throw new Error(`lead ${leadId} is named by a repeat key and does not exist`);
  return row;
}

const toColumn = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const FILL_SQL = listLeadFields()
  .filter(({ isFillable }) => isFillable)
  .map(({ name }) => `${toColumn(name)} = coalesce(${toColumn(name)}, :${name})`)
  .join(', ');
/** Consent is given as a whole, with its time and wording, or not at all. */
const CONSENT_SQL = ['consentMarketing', 'consentTimestamp', 'consentTextVersion', 'consentPage']
  .map(
    (name) =>
      `${toColumn(name)} = case when not consent_marketing and :consentMarketing then :${name} else ${toColumn(name)} end`,
  )
  .join(', ');

/** Fills the fields that the first submission left empty. Overwrites nothing. */
export async function fillEmptyFields(db: Database, leadId: string, repeat: NewLead): Promise<void> {
  await db.raw(`update leads set ${FILL_SQL}, ${CONSENT_SQL} where id = :leadId`, { ...repeat, leadId });
}
