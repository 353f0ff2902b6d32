import type { Row } from '@site/platform/database/tables';
import { requestTier } from '@site/platform/outbox/people';
import { deleteDifference } from './differences.repository.ts';
import { repairLead } from './repair.ts';
import type { RepairDeps } from './repair.ts';

/*
 * Carries out the remedies that an operator asked for, in the console or with --fix.
 * Before: `differences.repository.ts` stores the remedy. Next: `repair.ts` adds a subscriber, or
 * `subscribers/tier.processor.ts` sets a tier.
 */

/** Carries out every remedy that an operator asked for. Repeats failed ones after a while. */
export async function carryOutRemedies(deps: RepairDeps, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  const differences = () => db<Row<'differences'>>('differences');
  const due = await differences()
    .where('requestedAt', '<=', db.raw('sync_now()'))
    .orderBy('requestedAt');
  for (const difference of due) {
    if (signal.aborted) return;
    if (await carryOutRemedy(deps, difference, signal)) continue;
    await differences()
      .where({ id: difference.id })
      .update({ requestedAt: db.raw(`sync_now() + interval '5 minutes'`) });
  }
}

/** Carries out one difference's remedy. Returns false if it has none or must be repeated. */
export async function carryOutRemedy(
  deps: RepairDeps,
  { remedy, leadId, emailNormalised }: Row<'differences'>,
  signal: AbortSignal,
): Promise<boolean> {
  if (remedy === null) return false;
  if (remedy === 'add-again') return leadId !== null && repairLead(deps, leadId, signal);
  await deps.db.transaction(async (trx) => {
    await requestTier(trx, emailNormalised, remedy === 'set-premium' ? 'premium' : 'free');
    await deleteDifference(trx, { emailNormalised, remedy });
  });
  return true;
}
