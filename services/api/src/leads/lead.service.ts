import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/process/logger';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { CURRENT_CONSENT_VERSION, wordingOf } from '@site/schema/consent';
import type { FormType } from '@site/schema/lead';
import { toSubmittedFields } from '@site/schema/lead-intake';
import type { LeadIntakeBody } from '@site/schema/lead-intake';
import { problem } from '../http/problem.ts';
import { NO_FORM } from './client-facts.ts';
import type { ClientFacts } from './client-facts.ts';
import type { NewLead } from './lead.repository.ts';
import { toRepeatKeys } from './lead.repository.ts';
import { storeSubmission } from './submission.repository.ts';
import type { Stored, StoreSubmission } from './submission.repository.ts';

/*
 * Turns a submission into a row. Once `captureLead` answers, the lead cannot be lost: it is
 * committed, and the sweep finds it even if its job is lost. Nothing here waits for Redis or
 * Beehiiv. Before: `lead.routes.ts`. Next: `intake-batches.ts` or `submission.repository.ts`, then
 * the outbox.
 */

/** A person cannot open and send a form faster than this, in milliseconds. */
const FASTEST_PERSON_MS = 1_500;

export type CaptureDeps = {
  db: Database;
  clock: Clock;
  syncQueue: Pick<SyncQueue, 'wake'>;
  newId: () => string;
  log: Logger;
  /** Commits a submission. The default commits each alone. */
  store?: StoreSubmission;
  /** Called for every submission once it is committed. */
  onLeadCaptured?: (formType: FormType, outcome: CaptureOutcome) => void;
};

export type CaptureOutcome = 'created' | 'repeated' | 'quarantined';
export type Captured = Omit<Stored, 'isDue'>;

/**
 * Stores a submission, or finds the lead it repeats, and then wakes the queue without waiting for
 * it. A repeat (rule 1.4) fills that lead's empty fields and overwrites none. A submission that
 * looks automated is stored but not sent, until a clean repeat lifts the quarantine. Throws 410 for
 * a repeat of a lead that was erased. `NO_FORM` is for somebody who paid without filling in a form.
 */
export async function captureLead(
  deps: CaptureDeps,
  body: LeadIntakeBody,
  facts: ClientFacts,
  idempotencyKey?: string,
): Promise<Captured> {
  const lead = toNewLead(deps, body, facts);
  const store = deps.store ?? ((submission) => storeSubmission(deps.db, submission));
  const { isDue, ...captured } = await store({
    lead,
    repeatKeys: toRepeatKeys(lead, idempotencyKey),
    sampleRequestId: lead.formType === 'pre_sample' ? deps.newId() : null,
  });
  if (captured.kind === 'erased')
    throw problem('lead-erased', {
      detail: 'What this form held has been erased. Reload the page to fill it in again.',
    });
  const isQuarantined = captured.kind === 'created' && lead.quarantineReason !== null;
  const outcome = isQuarantined ? 'quarantined' : captured.kind;
  deps.onLeadCaptured?.(body.formType, outcome);
  deps.log.info({ leadId: captured.id, traceId: lead.traceId, outcome }, 'lead captured');
  if (isDue) void deps.syncQueue.wake(1);
  return captured;
}

function toNewLead(
  { clock, newId }: CaptureDeps,
  body: LeadIntakeBody,
  facts: ClientFacts,
): NewLead {
  const now = clock.now();
  const botSignal = findBotSignal(body);
  const submitted = toSubmittedFields(body);
  return {
    ...submitted,
    ...facts,
    traceId: facts.traceId ?? newId(),
    id: newId(),
    submittedAt: now,
    consentTimestamp: body.consentMarketing ? now : null,
    // Somebody without a form saw no wording.
    consentTextVersion: facts === NO_FORM ? null : toShownVersion(submitted.consentTextVersion),
    quarantineReason: botSignal,
    beehiivStatus: botSignal ? 'failed' : 'pending',
    beehiivResponse: botSignal ? `quarantined: ${botSignal}` : null,
  };
}

/**
 * Returns why a submission looks automated, in few enough words for a row of the list, or null. A
 * signal quarantines a lead and never drops it. A missing timing is not a signal, because other
 * sites and plain forms send none.
 */
function findBotSignal(sent: {
  website: string | undefined;
  elapsedMs: number | undefined;
}): string | null {
  if (sent.website !== undefined) return 'the hidden field was filled';
  if (sent.elapsedMs !== undefined && sent.elapsedMs < FASTEST_PERSON_MS) {
    return `filled in within ${FASTEST_PERSON_MS / 1_000} seconds`;
  }
  return null;
}

/** Returns the current version if the form named none. An unknown version proves nothing. */
function toShownVersion(version: string | null): string | null {
  if (version === null) return CURRENT_CONSENT_VERSION;
  return wordingOf(version) === null ? null : version;
}
