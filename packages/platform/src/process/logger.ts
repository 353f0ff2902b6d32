import { pino } from 'pino';
import type { LogFn, Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { toLoggedError } from './logged-error.ts';
import { withTimeout } from './with-timeout.ts';

export type { Logger } from 'pino';

/** New lines are dropped while this much is still unread. */
const MAX_UNREAD_BYTES = 8_000_000;
const FLUSH_DEADLINE_MS = 1_000;

/** Creates a process's logger: one line of JSON per event, or readable text in a terminal. */
export function createLogger(options: {
  service: string;
  level: string;
  pretty?: boolean;
}): Logger {
  const settings = {
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => toLoggedError(error) },
    hooks: { logMethod: withOwnMessage },
  };
  const toText = options.pretty
    ? prettyFactory({ ignore: 'pid,hostname,service', colorize: true })
    : undefined;
  return pino(settings, standardOutput(toText));
}

/** Adds a message to a line without one. pino would use the error's, which may be personal data. */
function withOwnMessage(this: Logger, line: Parameters<LogFn>, log: LogFn): void {
  const [first, message]: unknown[] = line;
  const isError = first instanceof Error;
  const hasError = isError || (typeof first === 'object' && first !== null && 'err' in first);
  if (hasError && message === undefined)
    log.call(this, isError ? { err: first } : first, 'unexpected error');
  else log.apply(this, line);
}

/**
 * The lines of one turn of the event loop, because each write to a pipe or file blocks the loop.
 */
let unwritten = '';

/**
 * Writes to standard output without waiting for its reader. pino's own destination repeats a failed
 * write at exit until it succeeds, so a process whose log has no reader would never end.
 */
function standardOutput(toText = (line: string) => line): { write(line: string): void } {
  const { stdout } = process;
  if (!stdout.listeners('error').includes(ignore)) {
    stdout.on('error', ignore);
    process.once('exit', writeUnwritten);
  }
  return {
    write(line) {
      if (stdout.writableLength + unwritten.length >= MAX_UNREAD_BYTES) return;
      if (unwritten === '') setImmediate(writeUnwritten);
      unwritten += toText(line);
    },
  };
}

function writeUnwritten(): void {
  if (unwritten !== '') process.stdout.write(unwritten);
  unwritten = '';
}

/** Waits until standard output is written, for at most a second. */
export async function flushLog(): Promise<void> {
  writeUnwritten();
  const written = new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  await withTimeout(FLUSH_DEADLINE_MS, () => written).catch(ignore);
}

const ignore = () => undefined;
