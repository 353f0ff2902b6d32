import { isDatabaseUnavailable } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { insertNewLeads } from '../leads/lead.repository.ts';
import type { Submission } from '../leads/lead.repository.ts';
import type { StoreSubmission } from '../leads/submission.repository.ts';

/*
 * Tests whether a lead can be stored. Usually it rewrites one row. After a refused submission it
 * stores that submission and rolls back, until this succeeds, because a full disk may still take
 * small writes.
 */

export type IntakeWatch = {
  store: StoreSubmission;
  /** Rejects if no lead can be stored now. */
  tryWrite: () => Promise<void>;
};

/** Watches the outcomes of submissions. */
export function watchIntake(db: Database, store: StoreSubmission): IntakeWatch {
  let refused: Submission | null = null;
  return {
    async store(submission) {
      try {
        const stored = await store(submission);
        refused = null;
        return stored;
      } catch (error) {
        if (isDatabaseUnavailable(error)) refused = submission;
        throw error;
      }
    },
    async tryWrite() {
      if (refused === null) {
        await query(db, "update tasks set seen_at = seen_at where name = 'worker'");
        return;
      }
      const trx = await db.transaction();
      try {
        await insertNewLeads(trx, [refused]);
      } finally {
        await trx.rollback();
      }
      refused = null;
    },
  };
}
