import type { Database } from '@site/platform/database/connect';
import type { LeadAttributionRow, LeadRow } from '@site/platform/database/tables';

/*
 * The row of a lead. From this INSERT's commit on the lead cannot be lost.
 * Before: `lead.service.ts`. Next: the outbox, whose columns begin at their defaults.
 */

/** `nextAttemptAt` undefined means now, on the database's clock. */
export type NewLead = LeadAttributionRow &
  Pick<
    LeadRow,
    | 'id'
    | 'email'
    | 'formType'
    | 'fullName'
    | 'company'
    | 'phone'
    | 'message'
    | 'submittedAt'
    | 'consentMarketing'
    | 'consentTimestamp'
    | 'consentTextVersion'
    | 'consentPage'
    | 'ipAddress'
    | 'userAgent'
    | 'deviceType'
    | 'country'
    | 'region'
    | 'city'
    | 'quarantineReason'
    | 'beehiivStatus'
    | 'beehiivResponse'
  > & { nextAttemptAt: Date | null | undefined };

export async function insertLead(db: Database, lead: NewLead): Promise<void> {
  await db('leads').insert(lead);
}

/** What the external sample site's visitors asked for, in the table that names them. */
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

/** Columns that a repeat may fill. Consent is apart: it is given whole, with its time and wording, or not at all. */
const FILLABLE = [
  'full_name',
  'company',
  'phone',
  'message',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'gclid',
  'fbclid',
  'ttclid',
  'landing_page',
  'first_page',
  'referrer',
  'session_id',
  'ga_client_id',
  'visit_utm_source',
  'visit_utm_medium',
  'visit_utm_campaign',
  'visit_utm_term',
  'visit_utm_content',
  'first_utm_source',
  'first_utm_medium',
  'first_utm_campaign',
  'first_utm_term',
  'first_utm_content',
  'user_agent',
  'ip_address',
  'device_type',
  'country',
  'region',
  'city',
];

const toCamel = (column: string) => column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const FILL_SQL = FILLABLE.map((column) => `${column} = coalesce(${column}, :${toCamel(column)})`).join(', ');
const CONSENT_SQL = ['consent_marketing', 'consent_timestamp', 'consent_text_version', 'consent_page']
  .map(
    (column) =>
      `${column} = case when not consent_marketing and :consentMarketing then :${toCamel(column)} else ${column} end`,
  )
  .join(', ');

/** Fills what the first submission left empty and overwrites nothing. */
export async function fillEmptyFields(db: Database, leadId: string, repeat: NewLead): Promise<void> {
  await db.raw(`update leads set ${FILL_SQL}, ${CONSENT_SQL} where id = :leadId`, { ...repeat, leadId });
}
