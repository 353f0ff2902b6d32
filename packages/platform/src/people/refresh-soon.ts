import { setTimeout as sleep } from 'node:timers/promises';
import { normaliseEmail } from '@site/schema/email';
import type { Database } from '../database/connect.ts';
import type { Logger } from '../process/logger.ts';
import { refreshPerson } from './person.ts';

/** The most people that may wait. The worker's sweep refreshes the rest. */
const MAX_WAITING = 1_000;
/** The pause between two people, so that a burst of leads has the database to itself. */
const PAUSE_MS = 5;

/**
 * Returns a function that refreshes a committed lead's person soon. The visitor does not wait, and
 * the sweep repeats failures.
 */
export function createRefresher({
  db,
  log,
}: {
  db: Database;
  log: Logger;
}): (email: string) => void {
  const waiting = new Set<string>();
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    for (const email of waiting) {
      waiting.delete(email);
      await refreshPerson(db, email).catch((err: unknown) =>
        log.warn({ err }, 'a person is not refreshed yet'),
      );
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
    isRunning = false;
  }

  return (email) => {
    if (waiting.size < MAX_WAITING) waiting.add(normaliseEmail(email));
    if (!isRunning) void run();
  };
}
