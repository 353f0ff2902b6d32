import { toSnake } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { LeadRow } from '@site/platform/database/tables';
import { lockFound } from '@site/platform/people/person';
import { normaliseEmail } from '@site/schema/email';
import { LEAD_FIELDS, listLeadFields } from '@site/schema/lead-fields';
import type { LeadField } from '@site/schema/lead-fields';
import type { LeadValues, LeadValuesFrom } from '@site/schema/lead';
import { createHash } from 'node:crypto';

/*
 * The rows of leads. Once their INSERT is committed, they cannot be lost. Before:
 * `intake-batches.ts`, or `submission.repository.ts` for a single submission. Next: the outbox,
 * whose columns have defaults.
 */

const SYSTEM_FIELDS = [
  'id',
  'submittedAt',
  'consentTimestamp',
  'quarantineReason',
  'beehiivStatus',
  'beehiivResponse',
] as const;

export type NewLead = LeadValuesFrom<'form' | 'browser' | 'server'> &
  Pick<LeadValues, (typeof SYSTEM_FIELDS)[number]>;

/** A submission to be stored: the lead that it becomes, unless it repeats a lead. */
export type Submission = {
  lead: NewLead;
  repeatKeys: RepeatKeys;
  /** The id of the request for a sample, if any. */
  sampleRequestId: string | null;
};

const FIELDS: LeadField[] = [
  ...SYSTEM_FIELDS,
  ...listLeadFields().flatMap(({ name, from }) => (from === 'system' ? [] : [name])),
];
const TYPES: Partial<Record<string, string>> = { id: 'uuid', time: 'timestamptz', flag: 'boolean' };
const list = (toSql: (field: LeadField) => string) => FIELDS.map(toSql).join(', ');

const INSERT_NEW_LEADS = `
  with given as materialized (
    select *, normalised_email(email) as normalised from json_to_recordset(:given) as given (
      ${list((field) => `"${field}" ${TYPES[LEAD_FIELDS[field].kind] ?? 'text'}`)},
      form_key text, client_key text, sample_request_id uuid
    )
  ), keys as materialized (
    select id, key, is_form, sync_now() + make_interval(mins => minutes) as until
    from given,
      lateral (values (client_key, false, :keyMinutes::int), (form_key, true, :formMinutes::int))
        as keyed (key, is_form, minutes)
    where key is not null
  ), repeats as materialized (
    -- Looked up one by one, because a join would read every key of the last eight days.
    select id from keys where sync_now() < (
      select until from submission_keys where submission_keys.key = keys.key
    )
  ), taken as (
    insert into submission_keys (key, is_form, lead_id, until)
      select key, is_form, id, until
      from keys
      where id not in (select id from repeats)
      order by key
    on conflict (key) do update set lead_id = excluded.lead_id, until = excluded.until
      where submission_keys.until <= sync_now()
    returning lead_id
  ), stored as (
    insert into leads (${list(toSnake)}, next_attempt_at)
      select ${list((field) => `"${field}"`)},
        case when "quarantineReason" is null then sync_now() end
      from given
      where (select count(*) from taken where lead_id = id) = num_nonnulls(form_key, client_key)
    returning id
  ), sampled as (
    insert into sample_requests (id, email, name, company, lead_id)
      select sample_request_id, email, "fullName", company, id from given
      where sample_request_id is not null and id in (select id from stored)
  )
  select id from stored`;

/**
 * Stores the submissions that are new leads, all in one commit, and returns their ids. Leaves out
 * repeats, and submissions whose key another process takes at the same moment. No two may have the
 * same email. Rejects and stores nothing if the database refuses one. Takes keys in a fixed order,
 * so that no two processes wait for each other.
 */
export async function insertNewLeads(
  db: Database,
  submissions: Submission[],
): Promise<Set<string>> {
  const given = submissions.map(({ lead, repeatKeys, sampleRequestId }) => ({
    ...lead,
    form_key: repeatKeys.form,
    client_key: repeatKeys.key,
    sample_request_id: sampleRequestId,
  }));
  // Named, so that each connection plans it once, because planning takes as long as running.
  // Returns a named column, so it survives a new column.
  const statement = db.raw<{ rows: { id: string }[] }>(INSERT_NEW_LEADS, {
    given: JSON.stringify(given),
    keyMinutes: SAME_KEY_MINUTES,
    formMinutes: SAME_FORM_MINUTES,
  });
  const { rows } = await statement.options({ name: 'insert new leads' });
  return new Set(rows.map(({ id }) => id));
}

/**
 * Finds the lead that a submission repeats, by its key or else by its form, locks its person, and
 * gives the lead the key. The lead may have another email by now. Returns null if it was erased.
 * Simultaneous submissions wait for each other in `insertNewLeads`, so the second finds the first
 * here.
 */
export async function findRepeated(
  trx: Database,
  { repeatKeys: { key, form } }: Submission,
): Promise<string | null | undefined> {
  const { found } = await lockFound(trx, async (db) => {
    const [first] = await query<{ leadId: string | null; emailNormalised: string | null }>(
      db,
      `select lead_id, email_normalised
       from submission_keys left join leads on leads.id = lead_id
       where key in (:key, :form) and until > sync_now()
       order by is_form
       limit 1`,
      { key, form },
    );
    return { found: first?.leadId, emails: [first?.emailNormalised ?? null] };
  });
  if (found !== undefined && found !== null && key !== null)
    await query(
      trx,
      `insert into submission_keys (key, is_form, lead_id, until)
       values (:key, false, :found, sync_now() + make_interval(mins => :keyMinutes))
       on conflict (key) do update set lead_id = excluded.lead_id, until = excluded.until
         where submission_keys.until <= sync_now()`,
      { key, found, keyMinutes: SAME_KEY_MINUTES },
    );
  return found;
}

const FILL_SQL = listLeadFields()
  .filter(({ isFillable }) => isFillable)
  .map(({ name }) => `${toSnake(name)} = coalesce(${toSnake(name)}, :${name})`)
  .join(', ');
/**
 * Fills the fields that the first submission left empty. Overwrites nothing. Returns the lead's
 * state.
 */
export async function fillEmptyFields(
  db: Database,
  leadId: string,
  repeat: NewLead,
): Promise<Pick<LeadRow, 'beehiivStatus' | 'quarantineReason'>> {
  return queryOne(
    db,
    `update leads set ${FILL_SQL},
       -- Consent is given as a whole, with its time and wording, or not at all.
       consent_marketing = consent_marketing or :consentMarketing,
       consent_timestamp = case when not consent_marketing and :consentMarketing
         then :consentTimestamp else consent_timestamp end,
       consent_text_version = case when not consent_marketing and :consentMarketing
         then :consentTextVersion else consent_text_version end,
       consent_page = case when not consent_marketing and :consentMarketing
         then :consentPage else consent_page end,
       -- A consent after the lead was sent must still reach Beehiiv.
       consent_due_at = case when not consent_marketing and :consentMarketing
         and beehiiv_status = 'sent'
         then sync_now() else consent_due_at end
     where id = :leadId
     returning beehiiv_status, quarantine_reason`,
    { ...repeat, leadId },
  );
}

/** The same email, form and visitor within this time is one lead, after a double click. */
const SAME_FORM_MINUTES = 10;
/** A browser sends an unsent lead again for up to seven days, with the same key. */
const SAME_KEY_MINUTES = 8 * 24 * 60;

/**
 * The keys that make two submissions one lead (rule 1.4): the form with its visitor and, if
 * present, the client's key.
 */
export type RepeatKeys = { form: string; key: string | null };

/**
 * Returns the keys that a submission shares with its repeats: hashes, because the table only
 * compares them, and a key must not keep an email.
 */
export function toRepeatKeys(
  {
    email,
    formType,
    ipAddress,
    userAgent,
  }: Pick<LeadValues, 'email' | 'formType' | 'ipAddress' | 'userAgent'>,
  idempotencyKey: string | undefined,
): RepeatKeys {
  const hash = (...parts: (string | null)[]) =>
    createHash('sha256')
      .update(JSON.stringify([normaliseEmail(email), ...parts]))
      .digest('base64url');
  return {
    form: hash('form', formType, ipAddress, userAgent),
    key: idempotencyKey === undefined ? null : hash('key', idempotencyKey),
  };
}

/** Finds a lead. Returns undefined without one of this id. */
export const findLead = (db: Database, id: string): Promise<LeadRow | undefined> =>
  db<LeadRow>('leads').where({ id }).first();
