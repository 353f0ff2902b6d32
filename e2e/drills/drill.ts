import { findFreePort } from '@site/local-infra/free-port';
import { advanceSyncClock, openTransaction } from '@site/testing/builders';
import { createDatabase } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { createSandbox } from '@site/sandbox/sandbox';
import type { Sandbox } from '@site/sandbox/sandbox';
import type { FaultBody } from '@site/sandbox/traffic/faults';
import type { LoggedRequest } from '@site/sandbox/traffic/request-log';

import { audit } from './audit.ts';
import type { Expectation } from './audit.ts';
import { createLedger } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { watchLight } from './light.ts';
import type { Light } from './light.ts';
import type { Servers } from './servers.ts';
import { createServiceProcess } from './service-process.ts';
import type { ServiceProcess } from './service-process.ts';
import { within } from './within.ts';

/** The running product, with every server around it under the drill's control. */
export type Drill = {
  servers: Servers;
  databaseUrl: string;
  db: Database;
  sandbox: Sandbox;
  ledger: Ledger;
  light: Light;
  startApi(env?: Record<string, string>): Promise<ServiceProcess>;
  startWorker(env?: Record<string, string>): Promise<ServiceProcess>;
  /** Sets Beehiiv's faults from now on. */
  beehiiv(mode: FaultBody['mode'], more?: Omit<FaultBody, 'target' | 'mode'>): void;
  /** Returns all requests to Beehiiv. With `method` POST, only additions. */
  requests: (method?: string) => LoggedRequest[];
  /**
   * Moves the sync's clock. Only while no request is running, because a run would lose its lease.
   */
  passTime(seconds: number): Promise<void>;
  count(where: string): Promise<number>;
  /** Takes locks that others wait for. Returns a function that releases them. */
  lock(sql: string, bindings?: string[]): Promise<() => Promise<void>>;
  /** Counts a service's statements that wait for a lock. */
  countLocked(service: 'api' | 'worker'): Promise<number>;
  /** Waits until no lead is pending. */
  settle(timeoutMs?: number): Promise<void>;
  /**
   * Returns one sentence for each broken promise (see `audit`) and each process that ended
   * unexpectedly.
   */
  audit(expectation?: Expectation): Promise<string[]>;
  /** Returns the last log lines of the processes. */
  logs(): string;
  end(): Promise<void>;
};

const SHOWN_LINES = 30;
/** The longest that a drill holds a lock. Its connection is silent meanwhile. */
const LOCK_MS = 300_000;

export async function createDrill(
  servers: Servers,
  options: { requestsPerMinute?: number; smtpPort?: number } = {},
): Promise<Drill> {
  const databaseUrl = await servers.newDatabase();
  const db = createDatabase({
    url: databaseUrl,
    maxConnections: 6,
    applicationName: 'drill',
    silentMs: LOCK_MS,
  });
  const sandbox = await createSandbox({ requestsPerMinute: 0, ...options });
  const processes: ServiceProcess[] = [];
  const apis: string[] = [];
  const ledger = createLedger(() => apis);
  const light = watchLight(() => apis[0]);
  const seen = new Map<number, LoggedRequest>();
  const locks = new Set<() => Promise<void>>();
  let elapsedSeconds = 0;

  const requests = (method?: string) => {
    for (const request of sandbox.beehiiv.requests()) seen.set(request.number, request);
    return [...seen.values()].filter(
      (request) => method === undefined || request.method === method,
    );
  };
  const begin = async (service: 'api' | 'worker', env: Record<string, string>) => {
    const port = await findFreePort();
    const number = processes.filter(({ name }) => name.startsWith(service)).length + 1;
    const program = createServiceProcess(
      service,
      `${service} ${number}`,
      `http://127.0.0.1:${port}`,
      {
        DATABASE_URL: databaseUrl,
        REDIS_URL: servers.valkey.url,
        PORT: String(port),
        WORKER_PORT: String(port),
        SANDBOX_PORT: String(sandbox.port),
        RATE_LIMIT_LEADS_PER_MINUTE: '0',
        // No rate limiter and short delays. Drills of the rate limiter or the schedule override
        // them.
        BEEHIIV_REQUESTS_PER_MINUTE: '0',
        BEEHIIV_BACKOFF_BASE_MS: '200',
        ...env,
      },
    );
    processes.push(program);
    await program.start();
    return program;
  };

  return {
    servers,
    databaseUrl,
    db,
    sandbox,
    ledger,
    light,
    async startApi(env = {}) {
      const api = await begin('api', env);
      apis.push(api.url);
      return api;
    },
    startWorker: (env = {}) => begin('worker', env),
    beehiiv: (mode, more = {}) => sandbox.setFault({ target: 'beehiiv', mode, ...more }),
    requests,
    async passTime(seconds) {
      elapsedSeconds += seconds;
      await advanceSyncClock(db, elapsedSeconds);
    },
    count: (where) => count(db, where),
    async lock(sql, bindings = []) {
      const holder = await openTransaction(db);
      const release = async () => {
        locks.delete(release);
        // Its server may have crashed in the meantime.
        await holder.rollback().catch(() => undefined);
      };
      locks.add(release);
      await holder.raw(sql, bindings);
      return release;
    },
    async countLocked(service) {
      const { rows } = await db.raw(
        `select count(*)::int as n from pg_stat_activity
         where datname = current_database() and application_name = ? and wait_event_type = 'Lock'`,
        [service],
      );
      return rows[0].n;
    },
    settle: (timeoutMs = 30_000) =>
      within(timeoutMs, 'every lead is settled', async () => {
        requests();
        // Postgres may be down at this moment.
        return (await count(db, `beehiiv_status = 'pending'`).catch(() => 1)) === 0;
      }),
    async audit(expectation) {
      const subscribers = () => sandbox.beehiiv.subscriptions().map(({ email }) => email);
      const faults = await audit({ db, ledger, requests, subscribers }, expectation);
      const ended = processes.filter((program) => program.hasEndedUnexpectedly());
      return [...faults, ...ended.map(({ name }) => `${name} ended unexpectedly`)];
    },
    logs: () =>
      processes
        .map(({ name, log }) => [`── ${name}`, ...log().slice(-SHOWN_LINES)].join('\n'))
        .join('\n\n'),
    async end() {
      await light.end();
      await Promise.all([
        ...processes.map((program) => program.kill()),
        ...[...locks].map((release) => release()),
      ]);
      await sandbox.close();
      await db.destroy();
    },
  };
}

/** Matches a row of `leads` that a run has claimed, or had claimed when it died. */
export const HAS_OPEN_ATTEMPT = `exists (select from lead_sync_attempts where lead_id = leads.id and class is null)`;

async function count(db: Database, where: string): Promise<number> {
  const { rows } = await db.raw(`select count(*)::int as n from leads where ${where}`);
  return rows[0].n;
}
