import type { Database } from '@site/platform/database/connect';
import { LEAD_FIELDS, listLeadFields } from '@site/schema/lead-fields';
import type { LeadField } from '@site/schema/lead-fields';
import { SAME_FORM_MINUTES, SAME_KEY_MINUTES } from './lead-repeats.repository.ts';
import type { Submission } from './submission.repository.ts';

/*
 * Many new leads in one statement, with their repeat keys and sample requests.
 * Before: `intake-batches.ts`. Next: the outbox.
 */

const SYSTEM_FIELDS = [
  'id',
  'submittedAt',
  'consentTimestamp',
  'quarantineReason',
  'beehiivStatus',
  'beehiivResponse',
] as const;
const FIELDS: LeadField[] = [
  ...SYSTEM_FIELDS,
  ...listLeadFields().flatMap(({ name, from }) => (from === 'system' ? [] : [name])),
];
const TYPES: Partial<Record<string, string>> = { id: 'uuid', time: 'timestamptz', flag: 'boolean' };
const toColumn = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const list = (toSql: (field: LeadField) => string) => FIELDS.map(toSql).join(', ');

const INSERT_NEW_LEADS = `
  with given as materialized (
    select *, lower(email) as address from json_to_recordset(:given) as given (
      ${list((field) => `"${field}" ${TYPES[LEAD_FIELDS[field].kind] ?? 'text'}`)},
      form_scope text, key_scope text, sample_request_id uuid
    )
  ), keys as materialized (
    select id, address, scope, sync_now() + make_interval(mins => minutes) as until
    from given, lateral (values (key_scope, ${SAME_KEY_MINUTES}), (form_scope, ${SAME_FORM_MINUTES})) as key (scope, minutes)
    where scope is not null
  ), repeats as materialized (
    -- Looked up one by one: a join would read every key of the last eight days.
    select id from keys where sync_now() < (
      select until from lead_repeats where email_normalised = address and lead_repeats.scope = keys.scope
    )
  ), taken as (
    insert into lead_repeats (email_normalised, scope, lead_id, until)
      select address, scope, id, until from keys where id not in (select id from repeats) order by address, scope desc
    on conflict (email_normalised, scope) do update set lead_id = excluded.lead_id, until = excluded.until
      where lead_repeats.until <= sync_now()
    returning lead_id
  ), stored as (
    insert into leads (${list(toColumn)}, next_attempt_at)
      select ${list((field) => `"${field}"`)}, case when "quarantineReason" is null then sync_now() end from given
      where (select count(*) from taken where lead_id = id) = num_nonnulls(form_scope, key_scope)
    returning id
  ), sampled as (
    insert into sample_requests (id, email, name, company, lead_id)
      select sample_request_id, email, "fullName", company, id from given
      where sample_request_id is not null and id in (select id from stored)
  )
  select id from stored`;

/**
 * Stores those submissions that are new leads, all in one commit, and returns their ids. Leaves out repeats, and any whose
 * key another process takes at the same moment. No two may be of one address. Rejects, and stores none, if the database
 * refuses one of them. Takes the keys in the order of `takeRepeatKeys`, so that no two processes wait for each other.
 */
export async function insertNewLeads(db: Database, submissions: Submission[]): Promise<Set<string>> {
  const given = submissions.map(({ lead, repeatKeys, sampleRequestId }) => ({
    ...lead,
    form_scope: repeatKeys.form,
    key_scope: repeatKeys.key,
    sample_request_id: sampleRequestId,
  }));
  // Named, so that each connection plans it once, which takes as long as its work. It returns a column by name, so it
  // survives a column that is added while it runs.
  const statement = db.raw<{ rows: { id: string }[] }>(INSERT_NEW_LEADS, { given: JSON.stringify(given) });
  const { rows } = await statement.options({ name: 'insert new leads' });
  return new Set(rows.map(({ id }) => id));
}
