import { flushLog } from './logger.ts';
import type { Logger } from './logger.ts';
import { withTimeout } from './with-timeout.ts';

export type Closer = { name: string; close(): Promise<unknown> };

const SHUTDOWN_DEADLINE_MS = 20_000;

/** Runs the closers in order, under one deadline. Logs a closer that fails or hangs. */
async function closeInOrder(
  closers: Closer[],
  log: Logger,
  deadlineMs = SHUTDOWN_DEADLINE_MS,
): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  for (const closer of closers) {
    try {
      await withTimeout(Math.max(100, deadline - Date.now()), () => closer.close());
    } catch (err) {
      log.warn({ err, part: closer.name }, 'part did not close cleanly');
    }
  }
}

/**
 * Stops the process in order on SIGTERM, on SIGINT, or when its parent process ends. A second
 * signal ends it at once. An uncaught error is logged and stops it with exit code 1. Returns the
 * function that stops it.
 */
export function stopOnSignals(
  log: Logger,
  closers: () => Closer[],
): (why: string, exitCode: number) => Promise<void> {
  let stopping = false;
  const stop = async (why: string, exitCode: number) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ why }, 'stopping');
    await closeInOrder(closers(), log);
    log.info('stopped');
    await flushLog();
    process.exit(exitCode);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => void stop(signal, 0));
  process.on('disconnect', () => void stop('parent gone', 0));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (err: unknown) => {
      log.fatal({ err }, 'unexpected error');
      void stop(event, 1);
    });
  }
  return stop;
}
