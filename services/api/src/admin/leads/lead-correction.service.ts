import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { correctedTo, withdrawLead } from '@site/platform/outbox/retry';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { problem } from '../../http/problem.ts';
import { recordAction } from '../audit/audit.repository.ts';
import { insertCorrection } from './lead-correction.repository.ts';
import { findLead } from './lead-list.repository.ts';

type CorrectionDeps = { db: Database; syncQueue: Pick<SyncQueue, 'wake'>; newId: () => string; log: Logger };

/**
 * Corrects a mistyped address: creates a lead with everything else of the first, linked to it and sent on its own.
 * The first is not retried. Throws 404, 409 if it was corrected already, 422 for the same address.
 */
export async function correctLead(
  { db, syncQueue, newId, log }: CorrectionDeps,
  operator: string,
  leadId: string,
  email: string,
): Promise<{ id: string }> {
  const id = newId();
  await db.transaction(async (trx) => {
    const first = await findLead(trx, leadId);
    if (!first) throw problem('not-found', { detail: 'There is no lead with this id.' });
    if (first.emailNormalised === email.toLowerCase()) {
      const message = 'The lead already has this address';
      throw problem('fields-invalid', { detail: `email: ${message}.`, errors: [{ field: 'email', message }] });
    }
    await withdrawLead(trx, leadId, correctedTo(id));
    if (!(await insertCorrection(trx, { id, email, correctedFrom: leadId }))) throw problem('already-corrected');
    await recordAction(trx, { operator, action: 'correct', subject: leadId, detail: { correctedTo: id } });
  });
  syncQueue
    .wake([id])
    .catch((err: unknown) => log.debug({ err, leadId: id }, 'queue not woken, the sweep will send the lead'));
  return { id };
}
