import type { Database } from '@site/platform/database/connect';
import { BULK_REMEDIES } from '@site/schema/differences';
import { problem } from '../../http/problem.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { requestRemedy } from './differences.repository.ts';

/** Asks the worker to put a difference right, and records who asked. Throws 404 if only a person can, or it is gone. */
export async function putRight(db: Database, operator: string, id: number): Promise<void> {
  await db.transaction(async (trx) => {
    if (!(await ask(trx, operator, id))) {
      throw problem('not-found', { detail: 'It has been put right, or only a person can.' });
    }
  });
}

/**
 * Asks the worker to put many right, each as `putRight` does. Those that are gone, or whose remedy is not safe for many at
 * once, are left as they are. Returns how many are on their way.
 */
export async function putAllRight(
  db: Database,
  operator: string,
  ids: readonly number[],
): Promise<number> {
  return db.transaction(async (trx) => {
    let asked = 0;
    // In one order for all who ask.
    const safe = trx('differences')
      .whereIn('id', ids)
      .whereIn('remedy', BULK_REMEDIES)
      .orderBy('id');
    for (const id of await safe.pluck<number[]>('id')) if (await ask(trx, operator, id)) asked += 1;
    return asked;
  });
}

/** Returns false if there is nothing to ask for. What was asked for before is not recorded again. */
async function ask(trx: Database, operator: string, id: number): Promise<boolean> {
  const asked = await requestRemedy(trx, id);
  if (asked) {
    const { kind, remedy, leadId } = asked;
    await recordAction(trx, {
      operator,
      action: 'remedy',
      subject: leadId,
      detail: { kind, remedy },
    });
  }
  return asked !== undefined;
}
