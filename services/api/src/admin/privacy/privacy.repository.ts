import { toSnake } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import { passOnUnknown } from '@site/platform/outbox/correction';
import { PERSONAL_FILTERS } from '@site/schema/calls/lead-filter';
import { EXPORTED_TABLES } from '@site/schema/calls/privacy';
import type { ExportedTable } from '@site/schema/calls/privacy';
import { FORM_FIELD_NAMES } from '@site/schema/form-fields';
import { normaliseEmail } from '@site/schema/email';
import { randomUUID } from 'node:crypto';

/**
 * A person: the email as the database compares it, every email that only they have, and their
 * leads. Statements take the leads as an array, because a subquery beside another condition would
 * read the whole table.
 */
type Person = { email: string; emails: string[]; leadIds: string[] };

type HeldRow = Record<string, unknown>;
type Held = {
  table: ExportedTable;
  rows: string;
  alsoShown?: string;
  columns?: string;
  /** The columns with ids of the person, here or at Stripe. */
  ids?: string;
};
/**
 * Every table with personal data, and the person's rows in it. In the order of deletion, referring
 * rows first. `alsoShown` are rows that are about the person, but belong to somebody else.
 */
const DELETED: Held[] = [
  { table: 'bulk_retry_leads', rows: `lead_id = any(:leadIds::uuid[])` },
  { table: 'lead_sync_attempts', rows: `lead_id = any(:leadIds::uuid[])` },
  { table: 'submission_keys', rows: 'lead_id = any(:leadIds::uuid[])' },
  { table: 'former_emails', rows: 'lead_id = any(:leadIds::uuid[])' },
  {
    table: 'sample_requests',
    rows: 'normalised_email(email) = any(:emails::text[]) or lead_id = any(:leadIds::uuid[])',
  },
  // Leaves out subscriptions that somebody else paid for the person's lead.
  {
    table: 'checkouts',
    rows: `email_normalised = any(:emails::text[])
      or lead_id = any(:leadIds::uuid[]) and email_normalised is null`,
    alsoShown: 'lead_id = any(:leadIds::uuid[])',
    ids: 'id, stripe_checkout_session_id',
  },
  {
    table: 'removal_requests',
    rows:
      `kind = 'unsubscribe' and (email_normalised = any(:emails::text[]) or lead_id = ` +
      'any(:leadIds::uuid[]))',
    alsoShown: 'email_normalised = any(:emails::text[])',
  },
  { table: 'notes', rows: 'email_normalised = any(:emails::text[])' },
  {
    table: 'differences',
    rows: `email_normalised = any(:emails::text[]) or lead_id = any(:leadIds::uuid[])`,
  },
  { table: 'leads', rows: 'id = any(:leadIds::uuid[])', ids: 'id' },
  // A row that only the lock inserted holds nothing.
  {
    table: 'people',
    rows: `email_normalised = any(:emails) and (seen_at > '-infinity' or learned_at is not null)`,
  },
];

/** Payments: ids, amounts and dates stay for the accounts, so that a closed month never changes. */
const PAYMENTS: Held[] = [
  ...(
    [
      ['stripe_refunds', 'id, stripe_charge_id'],
      ['stripe_disputes', 'id, stripe_charge_id'],
      ['stripe_invoices', 'id, stripe_charge_id, stripe_payment_intent_id'],
    ] as const
  ).map(([table, ids]) => ({
    table,
    ids,
    rows: `stripe_subscription_id in (
      select stripe_subscription_id
      from subscriptions
      where email_normalised = any(:emails::text[]))`,
  })),
  {
    table: 'subscriptions',
    rows: 'email_normalised = any(:emails::text[])',
    ids: 'stripe_subscription_id, stripe_customer_id',
    columns: `*, (
      select shown.stage from shown_subscription_stages shown
      where shown.id = subscriptions.id
    ) as shown_stage`,
  },
];
const HELD = [...DELETED, ...PAYMENTS];
/** Without `or false`, for which Postgres would read every invoice to find a few. */
const shownOf = ({ rows, alsoShown }: Pick<Held, 'rows' | 'alsoShown'>) =>
  alsoShown ? `${rows} or ${alsoShown}` : rows;

/** Rows that are shown, but not deleted with the person, because each has its own end or rule. */
const SHOWN_ONLY: (Held & { columns: string })[] = [
  { table: 'email_leases', columns: '*', rows: 'email_normalised = any(:emails::text[])' },
  {
    table: 'stripe_events',
    columns: 'id, type, outcome, failure, object_id, received_at',
    rows: `outcome = 'parked' and object_id = any(:ids::text[])`,
  },
  // Without the operator, who is another person.
  {
    table: 'operator_actions',
    columns: 'at, action, subject, detail',
    rows: 'subject = any(:ids::text[])',
  },
];

/** Finds the person of an email: its leads, and their former emails that nobody uses. */
export async function findPerson(trx: Database, email: string): Promise<Person> {
  return queryOne<Person>(
    trx,
    `with theirs as (
       select coalesce(array_agg(id), '{}') as lead_ids from leads
       where email_normalised = normalised_email(:email)
     )
     select normalised_email(:email) as email, lead_ids, array[normalised_email(:email)] || array(
       select distinct email_normalised from former_emails former
       where lead_id = any(lead_ids) and email_normalised <> normalised_email(:email)
         and not exists (
           select from leads where leads.email_normalised = former.email_normalised
         )
         and not exists (
           select from subscriptions paid where paid.email_normalised = former.email_normalised
         )
         and not exists (
           select from people reader
           where reader.email_normalised = former.email_normalised and tier = 'premium'
         )
       order by 1
     ) as emails
     from theirs`,
    { email },
  );
}

const PERSONAL = PERSONAL_FILTERS.map(({ name }) => name);

/**
 * Lists the bulk retries with a personal filter that may mean the person, because an email or a
 * lead of theirs has every word of it.
 */
async function listSearches(trx: Database, person: Person): Promise<HeldRow[]> {
  return query(
    trx,
    `with labels as (
       select plain_words(email) as label from unnest(:emails::text[]) email
       union all
       select plain_words(concat_ws(' ', ${FORM_FIELD_NAMES.map(toSnake).join(', ')}))
       from leads where id = any(:leadIds::uuid[])
     )
     select * from bulk_retries where exists (
       select from jsonb_each_text(filter) part, labels
       where part.key = any(:personal::text[]) and not exists (
         select from regexp_split_to_table(plain_words(part.value), '[\\s,;<>"-]+') word
         where position(word in label) = 0))`,
    { ...person, personal: PERSONAL },
  );
}

const NOBODY = { email: null, name: null, company: null, phone: null };

/** The columns that name somebody, each with related columns. Operators are always other people. */
const NAMES: Record<string, string[]> = {
  email: [
    'emailNormalised',
    'customerEmail',
    'name',
    'company',
    'phone',
    'paymentUrl',
    'recoveryUrl',
  ],
};
const OPERATORS = ['operator', 'freeGrantedBy', 'requestedBy'];

/** Clears the columns of a row that name somebody with none of these emails. */
function withoutOthers(row: HeldRow, own: ReadonlySet<unknown>): HeldRow {
  const isOwn = (value: unknown) => typeof value !== 'string' || own.has(normaliseEmail(value));
  const others = Object.entries(NAMES).flatMap(([name, more]) =>
    isOwn(row[name]) ? [] : [name, ...more],
  );
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      [...others, ...OPERATORS].includes(name) ? null : value,
    ]),
  );
}

/** Reads every row about a person, by table. Includes empty tables. */
export async function readHeldRows(
  trx: Database,
  person: Person,
): Promise<Record<ExportedTable, HeldRow[]>> {
  const bound = { ...person, ids: await findIds(trx, person) };
  const found: Partial<Record<ExportedTable, HeldRow[]>> = {
    bulk_retries: await listSearches(trx, person),
  };
  for (const { table, columns = '*', ...held } of [...HELD, ...SHOWN_ONLY])
    found[table] = await query(
      trx,
      `select ${columns} from ${table} where ${shownOf(held)}`,
      bound,
    );
  const own = new Set([
    person.email,
    ...[...(found.leads ?? []), ...(found.former_emails ?? [])].map(
      (row) => row['emailNormalised'],
    ),
  ]);
  return Object.fromEntries(
    EXPORTED_TABLES.map((table) => [
      table,
      (found[table] ?? []).map((row) => withoutOthers(row, own)),
    ]),
  ) as Record<ExportedTable, HeldRow[]>;
}

export async function countRows(db: Database, person: Person): Promise<Record<string, number>> {
  const counts = HELD.map(
    ({ table, ...held }) =>
      `select '${table}' as name, count(*)::int as rows from ${table} where ${shownOf(held)}`,
  );
  const found = await query<{ name: string; rows: number }>(db, counts.join(' union all '), person);
  return Object.fromEntries(found.map(({ name, rows }) => [name, rows]));
}

/** Lists the person's ids here and at Stripe. Call it before deleting their rows. */
async function findIds(trx: Database, person: Person): Promise<string[]> {
  const lists = HELD.flatMap(({ table, rows, ids }) =>
    ids ? `select unnest(array[${ids}]::text[]) as id from ${table} where ${rows}` : [],
  );
  const found = await query<{ id: string | null }>(trx, lists.join(' union '), person);
  return found.flatMap(({ id }) => id ?? []);
}

/**
 * Lists the emails whose people or rows an erasure changes: the person's own and former emails, and
 * those of payers for their leads.
 */
export async function listAffected(db: Database, person: Person): Promise<string[]> {
  const rows = await query<{ email: string }>(
    db,
    `select unnest(:emails::text[]) as email
     union select email_normalised from subscriptions
       where lead_id = any(:leadIds::uuid[]) and email_normalised is not null
     union select email_normalised from former_emails where lead_id = any(:leadIds::uuid[])
     union select email_normalised from removal_requests
       where lead_id = any(:leadIds::uuid[]) and email_normalised is not null`,
    person,
  );
  return rows.map(({ email }) => email);
}

/**
 * Deletes every row about a person and returns the number by table. Payments stay, without the
 * person. Somebody else's subscription loses the details copied from the person's lead. Bulk
 * retries lose a filter that may mean the person. Ids stay in `erased_ids`, because Stripe will
 * send more events about them, and the keys of a browser that may repeat a lead.
 */
export async function erasePerson(trx: Database, person: Person): Promise<Record<string, number>> {
  const searches = (await listSearches(trx, person)).map(({ id }) => id as string);
  // In the order of a bulk retry's step.
  const found = trx('bulk_retries').whereIn('id', searches).orderBy('id').forNoKeyUpdate();
  await trx('bulk_retries')
    .whereIn('id', found.select('id'))
    .update({ filter: trx.raw('filter - ?::text[]', [PERSONAL]) });
  await trx.raw(
    `update subscriptions paid set name = nullif(paid.name, lead.full_name),
       company = nullif(paid.company, lead.company), phone = nullif(paid.phone, lead.phone)
     from leads lead
     where lead.id = paid.lead_id and lead.id = any(:leadIds::uuid[])
       and paid.email_normalised <> all(:emails::text[])`,
    person,
  );
  const ids = await findIds(trx, person);
  await trx.raw(
    `insert into erased_ids (id)
     select distinct id from unnest(?::text[]) id
     order by 1
     on conflict do nothing`,
    [ids],
  );
  await passOnUnknown(trx, person.leadIds);
  await trx.raw(
    `update submission_keys set lead_id = null
     from leads
     where leads.id = lead_id and leads.id = any(:leadIds::uuid[]) and not is_form
       and (ip_address is not null or consent_text_version is not null)`,
    person,
  );
  const erased: Record<string, number> = {};
  for (const { table, rows } of DELETED) {
    erased[table] = await trx(table).whereRaw(rows, person).delete();
  }
  // Somebody else may have had the email, by mistake.
  await trx('former_emails').whereIn('emailNormalised', person.emails).delete();
  erased['subscriptions'] = await trx('subscriptions')
    .whereIn('emailNormalised', person.emails)
    .update({
      ...NOBODY,
      customerEmail: null,
      leadId: null,
      cancellationFeedback: null,
      paymentUrl: null,
      erasedPayer: randomUUID(),
    });
  return erased;
}

/**
 * Returns true if the person pays for a subscription that has not ended for good. Unpaid and paused
 * subscriptions can still be billed.
 */
export async function hasLiveSubscription(trx: Database, email: string): Promise<boolean> {
  const live = trx('subscriptions').where({ emailNormalised: email }).whereNot({ stage: 'ended' });
  return (await live.first('id')) !== undefined;
}
