import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';

/**
 * Failed logins in 15 minutes: per account and client IP address, or per browser that signed in
 * before.
 */
const MAX_FAILURES = 5;

export type LoginSource = {
  account: string;
  /** The client's key for limits. */
  client: string;
  /** The browser's id if it has signed in to this account before. */
  device: string | null;
};

type Waits = {
  accountWaits: number | null;
  clientWaits: number | null;
  deviceWaits: number | null;
};

/**
 * Returns the seconds to wait, from the failure that used up a limit, or 0 if an attempt is
 * allowed. A browser that signed in to the account before has a limit of its own, so that guesses
 * from elsewhere do not lock the operator out.
 */
export async function readWait(
  db: Database,
  { account, client, device }: LoginSource,
): Promise<number> {
  const waits = await queryOne<Waits>(
    db,
    `select (
         select ceil(extract(epoch from at + interval '15 minutes' - clock_timestamp()))::integer from logins
         where outcome = 'failed' and account = :account and device is null and at > clock_timestamp() - interval '15 minutes'
         order by at desc offset :others limit 1
       ) as account_waits, (
         select ceil(extract(epoch from at + interval '15 minutes' - clock_timestamp()))::integer from logins
         where outcome = 'failed' and client = :client and device is null and at > clock_timestamp() - interval '15 minutes'
         order by at desc offset :others limit 1
       ) as client_waits, (
         select ceil(extract(epoch from at + interval '15 minutes' - clock_timestamp()))::integer from logins
         where outcome = 'failed' and device = :device and at > clock_timestamp() - interval '15 minutes'
         order by at desc offset :others limit 1
       ) as device_waits`,
    { account, client, device, others: MAX_FAILURES - 1 },
  );
  if (device !== null && waits.deviceWaits === null) return 0;
  return Math.max(waits.accountWaits ?? 0, waits.clientWaits ?? 0, waits.deviceWaits ?? 0);
}

/** Records a failed login, or wrong password of an operator who is signed in. It counts for 15 minutes. */
export async function recordFailure(
  db: Database,
  source: LoginSource,
  browser: string | null,
): Promise<void> {
  await db('logins').insert({
    at: db.raw('clock_timestamp()'),
    outcome: 'failed',
    ...source,
    browser,
  });
}

/** Records that a client was refused without a check, once in 15 minutes for each account. */
export async function recordRefusal(
  db: Database,
  source: LoginSource,
  browser: string | null,
): Promise<void> {
  await query(
    db,
    `insert into logins (at, outcome, account, client, device, browser)
     select clock_timestamp(), 'refused', :account, :client, :device, :browser
     where not exists (select from logins where outcome = 'refused' and account = :account and client = :client
       and at > clock_timestamp() - interval '15 minutes')`,
    { ...source, browser },
  );
}

/** Forgets the failed logins to an account. */
export async function forgiveFailures(db: Database, account: string): Promise<void> {
  await db('logins').where({ account, outcome: 'failed' }).update({ outcome: 'refused' });
}

/**
 * Lists the latest logins to an account, including failed and refused ones, as long as the client's
 * network is kept.
 */
export async function listSignIns(db: Database, account: string, limit: number) {
  return query<CallSent<'GET /api/admin/account'>['signIns'][number]>(
    db,
    `select at, outcome <> 'succeeded' as is_failed, device is not distinct from 'account ' || account as is_asked_again,
       browser, client as network
     from logins where account = :account order by at desc limit :limit`,
    { account, limit },
  );
}
