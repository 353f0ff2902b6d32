import type { Database } from '@site/platform/database/connect';
import { retryLeads } from '@site/platform/outbox/retry';
import type { BeehiivStatus } from '@site/schema/lead';
import { fillEmptyFields, insertLead, insertSampleRequest, readLeadForRepeat } from './lead.repository.ts';
import type { NewLead } from './lead.repository.ts';
import { takeRepeatKeys } from './lead-repeats.repository.ts';
import type { RepeatKeys } from './lead-repeats.repository.ts';

/*
 * Commits one submission, of any kind. Most are new leads, and `intake-batches.ts` commits those together.
 * Before: `lead.service.ts`. Next: the outbox.
 */

/** A submission that is about to be stored: the lead that it becomes, unless it repeats one. */
export type Submission = {
  lead: NewLead;
  repeatKeys: RepeatKeys;
  /** The id of the request for a sample, if it is one. */
  sampleRequestId: string | null;
};

/** What became of a submission. `isDue`: the lead may be sent now. */
export type Stored = { kind: 'created' | 'repeated'; id: string; beehiivStatus: BeehiivStatus; isDue: boolean };

/** Commits a submission. Rejects if it was not stored, or if that is unknown. */
export type StoreSubmission = (submission: Submission) => Promise<Stored>;

/** Commits one submission in a transaction of its own. */
export async function storeSubmission(db: Database, submission: Submission): Promise<Stored> {
  const { lead, repeatKeys, sampleRequestId } = submission;
  return db.transaction(async (trx) => {
    const leadId = await takeRepeatKeys(trx, lead, repeatKeys);
    if (leadId !== lead.id) return repeatLead(trx, leadId, lead);
    await insertLead(trx, lead);
    if (sampleRequestId !== null) await insertSampleRequest(trx, sampleRequestId, lead);
    return toCreated(lead);
  });
}

/** The outcome of a submission that became a lead. */
export function toCreated({ id, quarantineReason }: NewLead): Stored {
  return { kind: 'created', id, beehiivStatus: 'pending', isDue: quarantineReason === null };
}

async function repeatLead(trx: Database, leadId: string, repeat: NewLead): Promise<Stored> {
  await fillEmptyFields(trx, leadId, repeat);
  const first = await readLeadForRepeat(trx, leadId);
  const isQuarantined = first.quarantineReason !== null;
  const isLifted = isQuarantined && repeat.quarantineReason === null;
  if (isLifted) await retryLeads(trx, [leadId]);
  // A quarantined submission gets the ordinary answer, so that a bot learns nothing from it.
  const beehiivStatus = isQuarantined ? 'pending' : first.beehiivStatus;
  return { kind: 'repeated', id: leadId, beehiivStatus, isDue: isLifted };
}
