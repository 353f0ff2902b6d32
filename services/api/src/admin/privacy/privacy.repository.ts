import type { Database } from '@site/platform/database/connect';

type Binding = { email: string };

const LEADS = 'select id from leads where email_normalised = :email';
const SUBSCRIPTIONS = 'select stripe_subscription_id from subscriptions where email_normalised = :email';
const INVOICES = `select id from stripe_invoices where stripe_subscription_id in (${SUBSCRIPTIONS})`;
const CHARGES = `select id from stripe_charges where stripe_invoice_id in (${INVOICES})`;

/**
 * Every table that keeps something of a person, and which of its rows are theirs. In the order of erasing:
 * what points at a row goes before it.
 */
const KEPT: { table: string; rows: string }[] = [
  { table: 'retry_run_leads', rows: `lead_id in (${LEADS})` },
  { table: 'lead_sync_attempts', rows: `lead_id in (${LEADS})` },
  { table: 'lead_repeats', rows: 'email_normalised = :email' },
  { table: 'sample_requests', rows: `lower(email) = :email or lead_id in (${LEADS})` },
  {
    table: 'payer_mismatches',
    rows: `lower(lead_email) = :email or lower(payer_email) = :email or lead_id in (${LEADS})`,
  },
  { table: 'checkouts', rows: `email_normalised = :email or lead_id in (${LEADS})` },
  { table: 'stripe_disputes', rows: `stripe_charge_id in (${CHARGES})` },
  { table: 'stripe_charges', rows: `stripe_invoice_id in (${INVOICES})` },
  { table: 'stripe_invoices', rows: `stripe_subscription_id in (${SUBSCRIPTIONS})` },
  { table: 'subscriptions', rows: 'email_normalised = :email' },
  { table: 'reader_tiers', rows: 'email_normalised = :email' },
  { table: 'reconcile_readers', rows: 'email_normalised = :email' },
  { table: 'leads', rows: 'email_normalised = :email' },
];

/** Only what a test compares with the database's own list of columns. */
export const TABLES_OF_A_PERSON = KEPT.map(({ table }) => table);

/** Every row about a person, by table; tables without any are there too, empty. */
export async function readPerson(trx: Database, email: string): Promise<Record<string, Record<string, unknown>[]>> {
  const found: Record<string, Record<string, unknown>[]> = {};
  for (const { table, rows } of KEPT) {
    const { rows: kept } = await trx.raw(`select * from ${table} where ${rows}`, { email } satisfies Binding);
    found[table] = kept;
  }
  return found;
}

/** Deletes every row about a person and answers how many there were, by table. What Stripe sent and we could not read loses its text. */
export async function erasePerson(trx: Database, email: string): Promise<Record<string, number>> {
  const erased: Record<string, number> = {};
  for (const { table, rows } of KEPT) {
    const { rowCount } = await trx.raw(`delete from ${table} where ${rows}`, { email } satisfies Binding);
    erased[table] = rowCount ?? 0;
  }
  const { rowCount } = await trx.raw(
    `update stripe_events set raw_body = '{"erased":true}' where raw_body is not null and position(:email in lower(raw_body)) > 0`,
    { email } satisfies Binding,
  );
  erased['stripe_events'] = rowCount ?? 0;
  await trx.raw(
    `update retry_runs set filter = filter - 'search'
     where filter ? 'search' and position(lower(filter->>'search') in :email) > 0`.replace(' ? ', ' \\? '),
    { email } satisfies Binding,
  );
  return erased;
}

/** A subscription that is paid for goes on until it is ended; nobody is erased under it. */
export async function hasLiveSubscription(trx: Database, email: string): Promise<boolean> {
  return (await trx('subscriptions').where({ emailNormalised: email, isLive: true }).first('id')) !== undefined;
}

export type ErasureRow = {
  id: string;
  requestedBy: string;
  requestedAt: Date;
  erased: Record<string, number>;
  tries: number;
  lastMessage: string | null;
  doneAt: Date | null;
};
const RECEIPT = ['id', 'requestedBy', 'requestedAt', 'erased', 'tries', 'lastMessage', 'doneAt'];

/** The receipt of what was erased here; one for the same address that is still open at the newsletter is due again. */
export async function upsertErasure(
  trx: Database,
  { id, email, operator, erased }: { id: string; email: string; operator: string; erased: Record<string, number> },
): Promise<ErasureRow> {
  const [row] = await trx('erasures')
    .insert({ id, emailNormalised: email, requestedBy: operator, erased: JSON.stringify(erased) })
    .onConflict(trx.raw('(email_normalised) where done_at is null'))
    .merge({ nextTryAt: trx.raw('sync_now()') })
    .returning<ErasureRow[]>(RECEIPT);
  if (!row) throw new Error('the erasure has just been inserted');
  return row;
}

export async function listErasures(db: Database, limit: number): Promise<ErasureRow[]> {
  return db('erasures').orderBy('requestedAt', 'desc').limit(limit).select<ErasureRow[]>(RECEIPT);
}
