import knex from 'knex';
import type { Knex } from 'knex';
import { Pool, types as pgTypes } from 'pg';
import { CERTIFICATE_FAILURES, codeOf } from '../process/logged-error.ts';
import type { Logger } from '../process/logger.ts';
import { destroyWhenSilent, SILENCE_GRACE_MS } from './silent-connections.ts';
import type { Connection } from './silent-connections.ts';

export type Database = Knex;
export type Transaction = Knex.Transaction;

/** The driver returns bigint as text. Ours are counts, far below 2^53, so numbers will do. */
const types = {
  getTypeParser: (oid: Parameters<typeof pgTypes.getTypeParser>[0], format?: string) =>
    oid === pgTypes.builtins.INT8
      ? Number
      : pgTypes.getTypeParser(oid, format === 'binary' ? 'binary' : 'text'),
};

const ignore = () => undefined;
export const toSnake = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Caches converted names, because converting them for each row took an eighth of a list's time. */
const camelNames = new Map<string, string>();

function toCamel(name: string): string {
  let camel = camelNames.get(name);
  if (camel === undefined) {
    camel = name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    camelNames.set(name, camel);
  }
  return camel;
}

function toCamelRow(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || row instanceof Date) return row;
  const camel: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) camel[toCamel(name)] = value;
  return camel;
}

function toCamelResult(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(toCamelRow);
  if (
    typeof result === 'object' &&
    result !== null &&
    'rows' in result &&
    Array.isArray(result.rows)
  ) {
    return { ...result, rows: result.rows.map(toCamelRow) };
  }
  return toCamelRow(result);
}

/*
 * A frozen process, or a process on a lost machine, must not hold locks for long. Postgres ends
 * transactions that are idle between two statements, and connections whose other end no longer
 * answers. Our transactions wait for nothing but the database.
 * Compiling a statement (jit) takes a second or more, cannot be interrupted, and depends on an
 * estimate. On two cores it once blocked every claim of a lead for minutes.
 * With the default work_mem of 4 MB, figures of a hundred thousand payers are sorted on disk. The
 * default page cost assumes spinning disks, so Postgres would read all payers to find a thousand.
 * A view loads several figures at once, so parallel workers would only wait for each other.
 */
const SERVER_SETTINGS = `
  set jit = off; set work_mem = '16MB'; set random_page_cost = 1.1;
  set max_parallel_workers_per_gather = 0;
  set idle_in_transaction_session_timeout = '5s';
  set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3;
  set tcp_user_timeout = '20s'`;

type NewConnection = Connection & { query(sql: string, done: (error: Error | null) => void): void };

const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 4_000;
/** Shorter than the silence that destroys a connection, so that idle connections survive. */
const IDLE_MS = 10_000;

/**
 * Creates a pool of connections, and translates columns between snake_case in SQL and camelCase in
 * code. A statement may take `statementTimeoutMs`, 10 s by default. A connection may be silent for
 * 5 s longer. A transaction may be idle for 5 s. A caller waits at most 5 s for a connection.
 */
export function createDatabase(options: {
  url: string;
  maxConnections?: number;
  statementTimeoutMs?: number;
  silentMs?: number;
  applicationName?: string;
}): Database {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const { silentMs = statementTimeoutMs + SILENCE_GRACE_MS } = options;
  const db = knex({
    client: 'pg',
    connection: {
      connectionString: options.url,
      application_name: options.applicationName ?? 'site',
      statement_timeout: statementTimeoutMs,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      types,
    },
    pool: {
      min: 0,
      max: options.maxConnections ?? 10,
      idleTimeoutMillis: IDLE_MS,
      afterCreate(
        connection: NewConnection,
        done: (error: Error | null, connection: NewConnection) => void,
      ) {
        destroyWhenSilent(connection, silentMs);
        connection.query(SERVER_SETTINGS, (error) => done(error, connection));
      },
    },
    acquireConnectionTimeout: 5_000,
    // Otherwise an error's message would hold bound values, and so personal data.
    compileSqlOnError: false,
    // Every failure reaches its caller as an error.
    log: { warn: ignore, error: ignore, debug: ignore, deprecate: ignore },
    wrapIdentifier: (value, wrap) => wrap(value === '*' ? value : toSnake(value)),
    postProcessResponse: toCamelResult,
  });
  return db.on('query-error', withoutStatement);
}

/** Creates a pool of at most three driver connections, for work that cannot pass through knex. */
export function createPool(options: {
  url: string;
  silentMs: number;
  applicationName: string;
  log: Logger;
}): Pool {
  const { url, silentMs, applicationName, log } = options;
  const pool = new Pool({
    connectionString: url,
    max: 3,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    application_name: applicationName,
  });
  pool.on('connect', (client) => destroyWhenSilent(client as unknown as Connection, silentMs));
  pool.on('error', (err) => log.debug({ err, applicationName }, 'connection lost'));
  return pool;
}

/** Removes the statement that knex puts before an error's message. */
function withoutStatement(error: Error, { sql }: { sql: string }): void {
  const prefix = `${sql} - `;
  if (error.message.startsWith(prefix)) error.message = error.message.slice(prefix.length);
}

const DRIVER_MESSAGES = new RegExp(
  [
    'Connection terminated',
    'does not support SSL',
    'Client has encountered a connection error',
    'timeout exceeded when trying to connect',
    'timeout expired',
  ].join('|'),
  'i',
);

const CONNECTION_FAILURE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOENT',
  ...CERTIFICATE_FAILURES,
]);
// Connection failures, too many connections, shutdown or startup, timeouts, read-only standbys.
const UNAVAILABLE_STATES = /^(08...|53[0-9]{3}|57P0[1-5]|57014|58...|25006|55P03|XX00[12])$/;

/** The database is busy: the statement was not even sent. */
export class DatabaseBusyError extends Error {
  override name = 'DatabaseBusyError';
}

/**
 * Returns true if the database was unreachable or could not serve, false if it refused the
 * statement.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'KnexTimeoutError' || error instanceof DatabaseBusyError) return true;
  const code = codeOf(error);
  if (CONNECTION_FAILURE_CODES.has(code) || UNAVAILABLE_STATES.test(code)) return true;
  return DRIVER_MESSAGES.test(error.message);
}
