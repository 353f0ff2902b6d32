import type { Database } from '@site/platform/database/connect';
import { problem } from '../../http/problem.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { requestRemedy } from './differences.repository.ts';

/** Asks the worker to put a difference right, and records who asked. Throws 404 if only a person can, or it is gone. */
export async function putRight(db: Database, operator: string, id: number): Promise<void> {
  await db.transaction(async (trx) => {
    const asked = await requestRemedy(trx, id);
    if (asked === undefined)
      throw problem('not-found', { detail: 'It has been put right, or only a person can.' });
    if (asked === null) return;
    const { kind, remedy, leadId } = asked;
    const detail = { kind, remedy };
    await recordAction(trx, { operator, action: 'remedy', subject: leadId, detail });
  });
}
