import type { Database } from '@site/platform/database/connect';
import { retryLeads } from '@site/platform/outbox/retry';
import type { BeehiivStatus } from '@site/schema/lead';
import { fillEmptyFields, findRepeated, insertNewLeads } from './lead.repository.ts';
import type { NewLead, Submission } from './lead.repository.ts';

/*
 * Commits a single submission of any kind. `intake-batches.ts` commits most new leads together.
 * Before: `lead.service.ts`. Next: the outbox.
 */

/**
 * The outcome of a submission. `erased`: it repeats a lead that was erased, and is not stored.
 * `isDue`: the lead may be sent now.
 */
export type Stored = {
  kind: 'created' | 'repeated' | 'erased';
  id: string;
  beehiivStatus: BeehiivStatus;
  isDue: boolean;
};

/** Commits a submission. Rejects if it was not stored, or if that is unknown. */
export type StoreSubmission = (submission: Submission) => Promise<Stored>;

export async function storeSubmission(db: Database, submission: Submission): Promise<Stored> {
  const { lead } = submission;
  return db.transaction(async (trx) => {
    for (;;) {
      if (await insertAlone(trx, submission)) return toCreated(lead);
      const leadId = await findRepeated(trx, submission);
      if (leadId === null)
        return { kind: 'erased', id: lead.id, beehiivStatus: 'pending', isDue: false };
      if (leadId !== undefined) return repeatLead(trx, leadId, lead);
      // The repeated lead has just been erased, or its time has passed.
    }
  });
}

/** Stores a submission unless it repeats a lead. A repeat leaves none of its keys behind. */
async function insertAlone(trx: Database, submission: Submission): Promise<boolean> {
  const attempt = await trx.transaction();
  const isStored = (await insertNewLeads(attempt, [submission])).has(submission.lead.id);
  await (isStored ? attempt.commit() : attempt.rollback());
  return isStored;
}

export function toCreated({ id, quarantineReason }: NewLead): Stored {
  return { kind: 'created', id, beehiivStatus: 'pending', isDue: quarantineReason === null };
}

async function repeatLead(trx: Database, leadId: string, repeat: NewLead): Promise<Stored> {
  const first = await fillEmptyFields(trx, leadId, repeat);
  const isQuarantined = first.quarantineReason !== null;
  const isLifted = isQuarantined && repeat.quarantineReason === null;
  if (isLifted) {
    await retryLeads(trx, [leadId]);
    // The round begins with the person's consent, which an operator's Retry does not renew.
    await trx('leads')
      .where({ id: leadId })
      .update({ roundStartedAt: trx.raw('coalesce(consent_timestamp, submitted_at)') });
  }
  // A quarantined submission gets the ordinary answer, so that a bot learns nothing from it.
  const beehiivStatus = isQuarantined ? 'pending' : first.beehiivStatus;
  return { kind: 'repeated', id: leadId, beehiivStatus, isDue: isLifted };
}
