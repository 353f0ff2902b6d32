import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { ActionName } from '@site/schema/operator-actions';
import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { recordAction } from '../audit/audit.repository.ts';
import { ProblemError, problem } from '../http/problem.ts';
import { callUnderKeys } from '../stripe/repeatable-call.ts';
import type { RepeatableCall } from '../stripe/repeatable-call.ts';

/*
 * An act outside (rule 3.17): an operator's request that Stripe carries out. A transaction locks
 * the person, checks, and notes the request. Then Stripe is asked. Another transaction finds the
 * person again and stores the outcome. If Stripe's answer is lost, `store-reading.ts` records the
 * act as soon as a reading shows it.
 */

/** The caller. `key` is the `Idempotency-Key`. Without a key, a repeat is a new request. */
export type Asked = { operator: string; key: string | undefined };

type Result = Record<string, unknown>;

/** A request, its action, and what the action's record says about it. */
export type NewRequest = Asked & {
  /** The call and its whole body. Only a hash of it is stored. */
  request: readonly unknown[];
  action: ActionName;
  subject?: string | null;
  detail?: Result;
};

export type Noted = {
  /** Identifies the request. Stripe's idempotency keys begin with it. */
  requestKey: string;
  /** The same request was begun before, and may have succeeded. */
  isRepeat: boolean;
  /** Stripe has done it. */
  isRecorded: boolean;
  /** The earlier result, which a repeat gets. */
  result: Result | null;
};

/** Returns the name of a request, under which Stripe knows it. */
export const toRequestKey = (operator: string, key: string, request: unknown): string =>
  `operator-${createHash('sha256')
    .update(JSON.stringify([operator, key, request]))
    .digest('hex')}`;

/**
 * Notes a request before its work begins. The caller holds the person's lock. Throws 409 if the key
 * was used for another request.
 */
export async function noteRequest(
  trx: Database,
  newId: () => string,
  { operator, key = newId(), request, action, subject = null, detail = {} }: NewRequest,
): Promise<Noted> {
  const requestKey = toRequestKey(operator, key, request);
  const begun = await trx('operator_requests')
    .insert({ operator, key, request: requestKey, action, subject, detail: JSON.stringify(detail) })
    .onConflict()
    .ignore()
    .returning('key');
  const stored = await queryOne<{ request: string; isRecorded: boolean; result: Result | null }>(
    trx,
    `select request, recorded_at is not null as is_recorded, result
     from operator_requests
     where operator = :operator and key = :key`,
    { operator, key },
  );
  if (stored.request !== requestKey)
    throw problem('key-reused', { detail: 'This Idempotency-Key was used for another request.' });
  return { ...stored, requestKey, isRepeat: begun.length === 0 };
}

/** Records a request as done, once. `found` is what is known only afterwards. */
export async function recordRequest(
  trx: Database,
  requestKey: string,
  found: { subject?: string | null; detail?: Result } = {},
): Promise<void> {
  const [request] = await query<{
    operator: string;
    action: ActionName;
    subject: string | null;
    detail: Result;
  }>(
    trx,
    `update operator_requests set recorded_at = now()
     where request = :requestKey and recorded_at is null
     returning operator, action, subject, detail`,
    { requestKey },
  );
  if (request)
    await recordAction(trx, {
      ...request,
      ...found,
      detail: { ...request.detail, ...found.detail },
    });
}

/** Stores the result that a repeat gets, without personal data. Returns false if there was one. */
export async function storeResult(
  trx: Database,
  requestKey: string,
  result: Result,
): Promise<boolean> {
  const stored = await trx('operator_requests')
    .where({ request: requestKey })
    .whereNull('result')
    .update({ result: JSON.stringify(result) });
  return stored > 0;
}

/**
 * Records the newest request for an immediate cancellation of a subscription that has ended, unless
 * another is recorded. Stripe's event does not name the request, because a deletion has no
 * idempotency key.
 */
export async function recordCancellation(
  trx: Database,
  stripeSubscriptionId: string,
): Promise<void> {
  const [newest] = await query<{ request: string; isRecorded: boolean }>(
    trx,
    `select request, recorded_at is not null as is_recorded from operator_requests
     where subject = :stripeSubscriptionId and action = 'cancel-subscription'
       and detail ->> 'when' = 'now'
       and (recorded_at is not null or created_at > now() - interval '1 day')
     order by recorded_at is null, created_at desc
     limit 1`,
    { stripeSubscriptionId },
  );
  if (newest?.isRecorded === false) await recordRequest(trx, newest.request);
}

/** Reads which request an idempotency key at Stripe belongs to. */
export const toRequest = (idempotencyKey: string | null | undefined): string | null =>
  /^operator-[0-9a-f]{64}/.exec(idempotencyKey ?? '')?.[0] ?? null;

type Act<Found extends { subject: string | null }, Done> = Omit<NewRequest, 'subject' | 'key'> &
  Pick<Asked, 'key'> & {
    /** Locks the person. Throws if nobody is there. */
    lock: (trx: Database) => Promise<Found>;
    /** Throws if the act is refused. */
    check?: (found: Found, isRepeat: boolean) => void;
    /** Asks Stripe, outside any transaction. */
    ask: (begun: Noted & { found: Found }) => Promise<Done>;
    /**
     * Finds and locks the person again, and stores the outcome. Returns the rest of the record, or
     * null if the act is undone.
     */
    store: (trx: Database, done: Done, begun: Noted & { found: Found }) => Promise<Result | null>;
  };

/**
 * Carries out an act once for a key. A repeat gets the first result, or asks Stripe again while no
 * result is stored. Throws 409 if the key was used for another request.
 */
export async function carryOut<Found extends { subject: string | null }, Done>(
  { db, newId }: { db: Database; newId: () => string },
  { lock, check, ask, store, ...request }: Act<Found, Done>,
): Promise<Done> {
  const begun = await db.transaction(async (trx) => {
    const found = await lock(trx);
    const noted = await noteRequest(trx, newId, { ...request, subject: found.subject });
    if (noted.result === null) check?.(found, noted.isRepeat);
    return { ...noted, found };
  });
  const { requestKey, isRepeat } = begun;
  if (begun.result !== null) return begun.result as Done;
  const done = await ask(begun).catch(async (error: unknown) => {
    // Stripe refused, so nothing was done.
    if (!isRepeat && error instanceof ProblemError && error.kind !== 'stripe-unavailable')
      await db('operator_requests')
        .where({ request: requestKey, result: null, recordedAt: null })
        .delete();
    throw error;
  });
  return db.transaction(async (trx) => {
    const detail = await store(trx, done, begun);
    if (detail !== null) await recordRequest(trx, requestKey, { detail });
    return done;
  });
}

/** The longest an operator waits for a repeat that is under way. */
const DEADLINE_MS = 8_000;

/**
 * Asks Stripe for an act under the request's keys. `find` looks whether Stripe did it although it
 * answered with a failure.
 */
export async function askOnce<T extends object>(
  requestKey: string,
  call: (options: Stripe.RequestOptions) => Promise<T>,
  find: NonNullable<RepeatableCall<T>['find']>,
): Promise<T> {
  const endsAt = performance.now() + DEADLINE_MS;
  const answer = await callUnderKeys({
    toKey: (place) => (place === 1 ? requestKey : `${requestKey}-${place}`),
    call,
    find,
    leftMs: () => endsAt - performance.now(),
  });
  if (answer === null) throw stripeFailing();
  return answer;
}

export const stripeFailing = (cause?: unknown): ProblemError =>
  problem(
    'stripe-unavailable',
    {
      detail: 'Stripe is failing. Try again later: nothing is done twice.',
      retryAfterSeconds: 5,
    },
    { cause },
  );
