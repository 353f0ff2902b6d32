import { pino } from 'pino';
import type { Logger } from 'pino';
import { withTimeout } from './with-timeout.ts';

export type { Logger } from 'pino';

/** New lines are dropped while this much is still unread. */
const MOST_UNREAD_BYTES = 8_000_000;
const FLUSH_DEADLINE_MS = 1_000;

/**
 * An error as it may be logged. Drivers hang whole rows, request bodies and headers on their errors
 * (Postgres' `detail`, axios' `config`), so only what holds no personal data is taken over.
 */
function toLoggedError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  const code = 'code' in error ? error.code : undefined;
  const constraint = 'constraint' in error ? error.constraint : undefined;
  return {
    type: name,
    message,
    code,
    constraint,
    stack,
    ...(error.cause ? { cause: toLoggedError(error.cause) } : {}),
  };
}

/** Creates a process's logger: one line of JSON per event, or readable text in a terminal. */
export function createLogger(options: { service: string; level: string; pretty?: boolean }): Logger {
  const settings = {
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: toLoggedError },
  };
  if (!options.pretty) return pino(settings, standardOutput());
  const transport = { target: 'pino-pretty', options: { ignore: 'pid,hostname,service' } };
  return pino({ ...settings, transport });
}

/**
 * Writes to standard output without waiting for whoever reads it. At exit, pino's own destination repeats a
 * failed write until it succeeds, so a process whose log has no reader would never end.
 */
function standardOutput(): { write(line: string): void } {
  const { stdout } = process;
  if (!stdout.listeners('error').includes(ignore)) stdout.on('error', ignore);
  return {
    write(line) {
      if (stdout.writableLength < MOST_UNREAD_BYTES) stdout.write(line);
    },
  };
}

/** Waits until standard output is written, for at most a second. */
export async function flushLog(): Promise<void> {
  const written = new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  await withTimeout(FLUSH_DEADLINE_MS, () => written).catch(ignore);
}

const ignore = () => undefined;
