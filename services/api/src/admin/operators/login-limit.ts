import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';
import { problem } from '../../http/problem.ts';

/*
 * The limit of failed logins: five in 15 minutes for an account and client IP address, or for a
 * browser that signed in before. `logins` counts them.
 */

const MAX_FAILURES = 5;

export type LoginSource = {
  account: string;
  /** The client's key for limits. */
  client: string;
  /** The browser's id if it has signed in to this account before. */
  device: string | null;
};

/**
 * Throws 429 after too many failed attempts from this source, with the seconds to wait from the
 * failure that used up the limit. A browser that signed in to the account before has its own limit,
 * so that guesses from elsewhere do not lock the operator out. A refusal is listed once in 15
 * minutes.
 */
export async function refuseWaiting(
  db: Database,
  source: LoginSource,
  browser: string | null,
  failures: 'failed logins' | 'wrong passwords',
): Promise<void> {
  const { seconds } = await queryOne<{ seconds: number | null }>(
    db,
    `with recent as not materialized (
       select * from logins
       where outcome = 'failed' and counts and at > clock_timestamp() - interval '15 minutes'
     ), used_up (limited, at) as (
       (select 'account', at
       from recent
       where account = :account and device is null
       order by at desc offset :others
       limit 1)
       union all
       (select 'client', at
       from recent
       where client = :client and device is null
       order by at desc offset :others
       limit 1)
       union all
       (select 'device', at
       from recent
       where device = :device
       order by at desc offset :others
       limit 1)
     )
     select ceil(extract(
       epoch from max(at) + interval '15 minutes' - clock_timestamp()
     ))::integer as seconds
     from used_up
     where :device::text is null or exists (select from used_up where limited = 'device')`,
    { ...source, others: MAX_FAILURES - 1 },
  );
  if (seconds === null || seconds <= 0) return;
  await query(
    db,
    `insert into logins (at, outcome, account, client, device, browser)
     select clock_timestamp(), 'refused', :account, :client, :device, :browser
     where not exists (select from logins
       where outcome = 'refused' and account = :account and client = :client
       and at > clock_timestamp() - interval '15 minutes')`,
    { ...source, browser },
  );
  throw problem('too-many-requests', {
    detail: `Too many ${failures}. Try again in ${Math.ceil(seconds / 60)} minutes.`,
    retryAfterSeconds: seconds,
  });
}

/**
 * Records a failed login, to an operator's account or an unknown name, or a signed-in operator's
 * wrong password. The failure counts for 15 minutes.
 */
export async function recordFailure(
  db: Database,
  source: LoginSource,
  failure: { browser: string | null; subject: string | null; isCode: boolean },
): Promise<void> {
  const at = db.raw('clock_timestamp()');
  await db('logins').insert({ at, outcome: 'failed', ...source, ...failure });
}

const SIGN_INS_SHOWN = 10;

/**
 * Lists the latest logins to an account, including failed and refused logins, as long as the
 * client's network is kept.
 */
export async function listSignIns(
  db: Database,
  account: string,
): Promise<CallSent<'GET /api/admin/account'>['signIns']> {
  return query(
    db,
    `select at, outcome <> 'succeeded' as is_failed, device is not distinct from 'account '
       || account as is_asked_again,
       browser, client as network
     from logins
     where account = :account and client is not null
     order by at desc
     limit :most`,
    { account, most: SIGN_INS_SHOWN },
  );
}

export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Runs work with the same key one after another, in this process. */
export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work);
    const ended = mine.catch(() => undefined);
    last.set(key, ended);
    try {
      return await mine;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  };
}

/** Records a successful login. */
export async function recordLogin(
  trx: Database,
  login: Omit<LoginSource, 'device'> & { operator: string; browser: string | null },
): Promise<void> {
  await trx('logins').insert({ ...login, outcome: 'succeeded' });
}
