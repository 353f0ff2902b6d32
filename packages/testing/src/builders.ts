import { randomUUID } from 'node:crypto';

import type { Database, Transaction } from '@site/platform/database/connect';
import type { LeadRow, SyncAttemptRow, Tier } from '@site/platform/database/tables';
import { claimLead } from '@site/platform/outbox/claim';
import { moveLeads } from '@site/platform/outbox/correction';
import { createJudge } from '@site/platform/people/person';
import type { Choice } from '@site/platform/outbox/claim';
import type { AttemptOutcome } from '@site/platform/outbox/attempts';

/**
 * Inserts a lead. Unnamed fields have the values of a new subscriber's lead. Judges its person.
 */
export async function storeLead(db: Database, given: Partial<LeadRow> = {}): Promise<LeadRow> {
  const [row] = await db<LeadRow>('leads')
    .insert({
      id: randomUUID(),
      email: `${randomUUID()}@reader.example`,
      formType: 'pre_buy',
      fullName: 'Priya Raman',
      consentMarketing: true,
      consentTimestamp: new Date(),
      consentTextVersion: '2025-12',
      ...(given.beehiivStatus === 'failed' && { failedAt: new Date() }),
      ...given,
    })
    .returning('*');
  if (!row) throw new Error('The lead was not stored');
  await db.raw('select judge_person(?)', [row.emailNormalised]);
  return row;
}

/** Moves a lead to another email, as a correction does. */
export async function correctLead(
  db: Database,
  { id }: Pick<LeadRow, 'id'>,
  email: string,
): Promise<void> {
  await moveLeads(db, { leadIds: [id], email, operator: 'ana' });
}

/**
 * Judges somebody and sets columns of it. Without a lead or subscription, inserts the row.
 */
export async function storePerson(
  db: Database,
  { emailNormalised, ...given }: { emailNormalised: string; [column: string]: unknown },
): Promise<void> {
  const tier = {
    ...(given['tier'] !== undefined && {
      tierVersion: 1,
      tierSince: new Date(),
      tierNextAttemptAt: new Date(0),
    }),
    ...given,
  };
  await db.raw('select judge_person(?)', [emailNormalised]);
  await db('people')
    .insert({ emailNormalised, email: emailNormalised, ...tier })
    .onConflict('emailNormalised')
    .merge(Object.keys(tier));
}

/**
 * Gives somebody free access, or ends it, which decides their tier. With `isPayment`, a new premium
 * person is made active once, as a payer is.
 */
export async function wantTier(
  db: Database,
  email: string,
  tier: Tier,
  { isPayment = false } = {},
): Promise<void> {
  await db.transaction(async (trx) => {
    await trx.raw('select lock_person(array[?])', [email]);
    const person = trx('people').whereRaw('email_normalised = normalised_email(?)', [email]);
    if (isPayment)
      await person
        .clone()
        .whereRaw(`tier is distinct from 'premium'`)
        .update({ mustActivate: true });
    await person.update({
      freeUntil: new Date(tier === 'premium' ? '2999-01-01' : '2000-01-01'),
      freeGrantedBy: 'ana',
      freeGrantedAt: new Date(),
    });
  });
}

/** Judges everybody who is due, as the worker does four times a second. Returns their number. */
export const judgeDue = (db: Database) => createJudge(db)(new AbortController().signal);

/** Stores a lead's subscriber, by default as active an hour ago. */
export async function storeSubscriber(
  db: Database,
  { emailNormalised }: Pick<LeadRow, 'emailNormalised'>,
  given: Record<string, unknown> = {},
): Promise<void> {
  const learnedAt = new Date(Date.now() - 3_600_000);
  const known = {
    subscriberId: 'sub_1',
    status: 'active',
    statusSince: learnedAt,
    learnedAt,
    ...given,
  };
  await storePerson(db, { emailNormalised, ...known });
  await db<LeadRow>('leads')
    .where({ emailNormalised, beehiivStatus: 'sent' })
    .update({ subscriberStatus: known.status });
}

/** Opens an attempt of each lead, as a run does before its request. */
export async function storeAttempts(db: Database, leadIds: string[]): Promise<void> {
  if (leadIds.length === 0) return;
  await db('lead_sync_attempts').insert(
    leadIds.map((leadId) => ({
      id: randomUUID(),
      leadId,
      kind: 'push',
      round: 1,
      number: 1,
      worker: 'test',
    })),
  );
}

/** Stores an attempt of a lead, by default the first one of its first round. */
export async function storeAttempt(
  db: Database,
  given: Omit<Partial<SyncAttemptRow>, 'startedAt'> & {
    leadId: string;
    startedAt?: Date | ReturnType<Database['raw']>;
  },
): Promise<void> {
  await db('lead_sync_attempts').insert({
    id: randomUUID(),
    kind: 'push',
    round: 1,
    number: 1,
    worker: 'test',
    ...given,
  });
}

/** Requests the erasure of an email, or its unsubscription. */
export async function requestRemoval(
  db: Database,
  kind: 'erasure' | 'unsubscribe',
  emailNormalised: string,
  given: Record<string, unknown> = {},
): Promise<void> {
  await db('removal_requests').insert({
    kind,
    id: randomUUID(),
    emailNormalised,
    requestedBy: 'j.holt',
    ...(kind === 'erasure' && { erased: '{}' }),
    ...given,
  });
}

const transactions = new Set<Transaction>();

/** Begins a transaction that may stay open, with its locks, until the test ends. */
export async function openTransaction(db: Database): Promise<Transaction> {
  const transaction = await db.transaction();
  transactions.add(transaction);
  await transaction.raw('set local idle_in_transaction_session_timeout = 0');
  return transaction;
}

/**
 * Rolls back transactions that a failed test has left open. Otherwise its database could not be
 * closed.
 */
export async function rollBackOpen(): Promise<void> {
  const left = [...transactions].filter((transaction) => !transaction.isCompleted());
  transactions.clear();
  for (const transaction of left) await transaction.rollback();
}

/**
 * Counts the connections to the test's own database that wait for a lock. Other tests share the
 * server.
 */
export async function countLockWaits(db: Database): Promise<number> {
  const { rows } = await db.raw(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length;
}

/** Lists the leads that runs would claim now, in their order. Claims none. */
export async function listClaims(db: Database, choice: Choice = 'urgent'): Promise<string[]> {
  const ids: string[] = [];
  const transaction = await db.transaction();
  for (;;) {
    const run = await claimLead(transaction, { attemptId: randomUUID(), worker: 'test', choice });
    if (!run) break;
    ids.push(run.lead.id);
  }
  await transaction.rollback();
  return ids;
}

/** Moves one database's sync clock forward by replacing its `sync_now()` function. */
export async function advanceSyncClock(db: Database, seconds: number): Promise<void> {
  await db.raw(
    `create or replace function sync_now() returns timestamptz language sql stable as
     'select clock_timestamp() + interval ''${Math.round(seconds)} seconds'''`,
  );
}

/** Pauses the sync as a wrong key would, with its first probe due. */
export async function pauseSync(db: Database): Promise<void> {
  await db('sync_health').update({
    pausedSince: db.raw('sync_now()'),
    pauseReason: 'Beehiiv answered 401',
    pauseSetting: 'BEEHIIV_API_KEY',
    nextProbeAt: db.raw('sync_now()'),
  });
}

/** Builds an attempt's outcome. By default a 500, which leaves the request's effect unknown. */
export function buildOutcome(given: Partial<AttemptOutcome> = {}): AttemptOutcome {
  return {
    class: 'transient',
    reason: 'server-error',
    httpStatus: 500,
    message: 'Beehiiv answered 500',
    response: '500',
    requestId: null,
    tookMs: 5,
    isOutcomeKnown: false,
    ...given,
  };
}
