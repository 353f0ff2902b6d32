import { pino } from 'pino';
import type { Logger } from 'pino';

export type { Logger } from 'pino';

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

/** One process' logger: a line of JSON an event, or readable text where a person watches a terminal. */
export function createLogger(options: { service: string; level: string; pretty?: boolean }): Logger {
  return pino({
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: toLoggedError },
    ...(options.pretty ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname,service' } } } : {}),
  });
}
