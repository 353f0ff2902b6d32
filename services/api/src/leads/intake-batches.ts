import { DatabaseBusyError, isDatabaseUnavailable } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { normaliseEmail } from '@site/schema/email';
import { insertNewLeads } from './lead.repository.ts';
import { storeSubmission, toCreated } from './submission.repository.ts';
import type { Submission } from './lead.repository.ts';
import type { Stored, StoreSubmission } from './submission.repository.ts';

/*
 * Group commit: submissions that arrive during a write become one statement and one commit. A lone
 * submission leaves at once, so nothing is delayed. A submission other than a new lead (a repeat, a
 * row that the database refuses) is stored alone, so that it cannot affect others. Before:
 * `lead.service.ts`. Next: `lead.repository.ts`, or `submission.repository.ts` for a single
 * submission.
 */

const MAX_IN_A_BATCH = 64;
/** Two batches keep the database busy while answers are written. More would not be faster. */
const MAX_BATCHES = 2;
/** As long as every other call waits for a connection. */
const MAX_WAIT_MS = 5_000;

type Waiting = {
  submission: Submission;
  emailNormalised: string;
  resolve: (stored: Stored) => void;
  reject: (error: unknown) => void;
  refusal: NodeJS.Timeout;
};

/**
 * Returns a function that commits submissions together. Each is answered once it is committed, and
 * submissions with the same email in their order of arrival. A submission that has waited
 * `mostWaitMs` is refused, not stored.
 */
export function createIntakeBatches(
  db: Database,
  { mostWaitMs = MAX_WAIT_MS } = {},
): StoreSubmission {
  let waiting: Waiting[] = [];
  let batches = 0;
  const busyEmails = new Set<string>();

  function startBatches(): void {
    while (batches < MAX_BATCHES) {
      const batch = takeBatch();
      if (batch.length === 0) return;
      void commit(batch);
    }
  }

  async function commit(batch: Waiting[]): Promise<void> {
    batches += 1;
    const alone = await storeTogether(batch);
    batches -= 1;
    for (const one of alone) void storeAlone(one);
    startBatches();
  }

  /** Takes the oldest submissions whose emails are not being written, one for each email. */
  function takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    waiting = waiting.filter((one) => {
      if (batch.length === MAX_IN_A_BATCH || busyEmails.has(one.emailNormalised)) return true;
      clearTimeout(one.refusal);
      busyEmails.add(one.emailNormalised);
      batch.push(one);
      return false;
    });
    return batch;
  }

  /** Stores a batch's new leads. Returns the submissions to be stored alone. */
  async function storeTogether(batch: Waiting[]): Promise<Waiting[]> {
    try {
      const stored = await insertNewLeads(
        db,
        batch.map(({ submission }) => submission),
      );
      return batch.filter((one) => {
        const { lead } = one.submission;
        if (!stored.has(lead.id)) return true;
        busyEmails.delete(one.emailNormalised);
        one.resolve(toCreated(lead));
        return false;
      });
    } catch (error) {
      if (!isDatabaseUnavailable(error)) return batch;
      for (const one of batch) {
        busyEmails.delete(one.emailNormalised);
        one.reject(error);
      }
      return [];
    }
  }

  async function storeAlone({
    submission,
    emailNormalised,
    resolve,
    reject,
  }: Waiting): Promise<void> {
    await storeSubmission(db, submission).then(resolve, reject);
    busyEmails.delete(emailNormalised);
    startBatches();
  }

  return (submission) =>
    new Promise((resolve, reject) => {
      const refusal = setTimeout(() => {
        waiting = waiting.filter((one) => one.submission !== submission);
        reject(new DatabaseBusyError(`Waited ${mostWaitMs} ms for other submissions`));
      }, mostWaitMs);
      waiting.push({
        submission,
        emailNormalised: normaliseEmail(submission.lead.email),
        resolve,
        reject,
        refusal,
      });
      startBatches();
    });
}
