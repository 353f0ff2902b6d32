import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';

/** Failed logins in 15 minutes: per account and per client address, or per browser that signed in before. */
const MAX_FAILURES = 5;
const WINDOW = `interval '15 minutes'`;

export type LoginSource = {
  account: string;
  /** The client's address, as it is limited. */
  client: string;
  /** The browser's id if it has signed in to this account before. */
  device: string | null;
};

type Waits = {
  accountWaits: number | null;
  clientWaits: number | null;
  deviceWaits: number | null;
};

/** Seconds until another attempt counts, from the failure that used up the limit. Null if it is not used up. */
const waitOf = (condition: string) => `(
  select ceil(extract(epoch from at + ${WINDOW} - clock_timestamp()))::integer from login_failures
  where is_counted and ${condition} and at > clock_timestamp() - ${WINDOW} order by at desc offset ${MAX_FAILURES - 1} limit 1)`;

/**
 * Returns the seconds to wait, or 0 if an attempt is allowed. A browser that signed in to the account before has a limit
 * of its own, so that guesses from elsewhere do not lock the operator out.
 */
export async function readWait(
  db: Database,
  { account, client, device }: LoginSource,
): Promise<number> {
  const waits = await queryOne<Waits>(
    db,
    `select ${waitOf('account = :account and device is null')} as account_waits,
       ${waitOf('client = :client and device is null')} as client_waits,
       ${waitOf('device = :device')} as device_waits`,
    { account, client, device },
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
  await db('login_failures').insert({ at: db.raw('clock_timestamp()'), ...source, browser });
}

/** Records that a client was refused untried, once in 15 minutes for each account. */
export async function recordRefusal(
  db: Database,
  source: LoginSource,
  browser: string | null,
): Promise<void> {
  await query(
    db,
    `insert into login_failures (at, account, client, device, browser, is_counted)
     select clock_timestamp(), :account, :client, :device, :browser, false
     where not exists (select from login_failures where not is_counted and account = :account and client = :client
       and at > clock_timestamp() - ${WINDOW})`,
    { ...source, browser },
  );
}
