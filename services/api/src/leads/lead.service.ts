import type { Clock } from '@site/platform/clock';
import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { retryLeads } from '@site/platform/outbox/retry';
import { CURRENT_CONSENT_VERSION } from '@site/schema/consent';
import type { BeehiivStatus, FormType } from '@site/schema/lead';
import { toSubmittedFields } from '@site/schema/lead-intake';
import type { LeadIntakeBody } from '@site/schema/lead-intake';
import { findBotSignal } from './bot-signals.ts';
import { NO_FORM } from './client-facts.ts';
import type { ClientFacts } from './client-facts.ts';
import { fillEmptyFields, insertLead, insertSampleRequest, readLeadForRepeat } from './lead.repository.ts';
import type { NewLead } from './lead.repository.ts';
import { takeRepeatKeys } from './lead-repeats.repository.ts';

/*
 * Turns a submission into a row. Once `captureLead` answers, the lead cannot be lost: it is committed, and the sweep
 * finds it even if the queue loses its job. Nothing here waits for Redis or the newsletter.
 * Before: `lead.routes.ts`. Next: `lead.repository.ts`, then the outbox.
 */

export type CaptureDeps = {
  db: Database;
  clock: Clock;
  syncQueue: Pick<SyncQueue, 'wake'>;
  newId: () => string;
  log: Logger;
  /** Called for every submission once it is committed. */
  onLeadCaptured?: (formType: FormType, outcome: CaptureOutcome) => void;
};

export type CaptureOutcome = 'created' | 'repeated' | 'quarantined';
export type Captured = { kind: 'created' | 'repeated'; id: string; beehiivStatus: BeehiivStatus };

/**
 * Stores a submission, or finds the lead it repeats, and then wakes the queue without waiting for it. A repeat (rule
 * 1.4) fills that lead's empty fields and overwrites none. A submission that looks automated is stored but not sent,
 * until a clean repeat lifts the quarantine. `NO_FORM` is for somebody who paid without filling in a form.
 */
export async function captureLead(
  deps: CaptureDeps,
  body: LeadIntakeBody,
  facts: ClientFacts,
  idempotencyKey?: string,
): Promise<Captured> {
  const newLead = toNewLead(deps, body, facts);
  const { captured, isDue } = await deps.db.transaction(async (trx) => {
    const leadId = await takeRepeatKeys(trx, {
      email: body.email,
      formType: body.formType,
      visitor: { ipAddress: facts.ipAddress, userAgent: facts.userAgent },
      idempotencyKey,
      leadId: newLead.id,
    });
    if (leadId !== newLead.id) return repeatLead(trx, leadId, newLead);
    await insertLead(trx, newLead);
    if (body.formType === 'pre_sample') await insertSampleRequest(trx, deps.newId(), newLead);
    return {
      captured: { kind: 'created' as const, id: leadId, beehiivStatus: 'pending' as const },
      isDue: newLead.quarantineReason === null,
    };
  });
  const isQuarantined = captured.kind === 'created' && newLead.quarantineReason !== null;
  const outcome = isQuarantined ? 'quarantined' : captured.kind;
  deps.onLeadCaptured?.(body.formType, outcome);
  deps.log.info({ leadId: captured.id, traceId: newLead.traceId, outcome }, 'lead captured');
  if (isDue) wake(deps, captured.id);
  return captured;
}

async function repeatLead(
  trx: Database,
  leadId: string,
  repeat: NewLead,
): Promise<{ captured: Captured; isDue: boolean }> {
  await fillEmptyFields(trx, leadId, repeat);
  const first = await readLeadForRepeat(trx, leadId);
  const isQuarantined = first.quarantineReason !== null;
  const isLifted = isQuarantined && repeat.quarantineReason === null;
  if (isLifted) await retryLeads(trx, [leadId]);
  // A quarantined submission gets the ordinary answer, so that a bot learns nothing from it.
  const beehiivStatus = isQuarantined ? 'pending' : first.beehiivStatus;
  return { captured: { kind: 'repeated', id: leadId, beehiivStatus }, isDue: isLifted };
}

/** Queues a job that says "try this lead now". If that fails, the sweep queues it a little later. */
function wake({ syncQueue, log }: CaptureDeps, leadId: string): void {
  syncQueue
    .wake([leadId])
    .catch((err: unknown) => log.debug({ err, leadId }, 'queue not woken, the sweep will send the lead'));
}

function toNewLead({ clock, newId }: CaptureDeps, body: LeadIntakeBody, facts: ClientFacts): NewLead {
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
    // Who saw no form saw no wording.
    consentTextVersion: facts === NO_FORM ? null : (submitted.consentTextVersion ?? CURRENT_CONSENT_VERSION),
    quarantineReason: botSignal,
    beehiivStatus: botSignal ? 'failed' : 'pending',
    beehiivResponse: botSignal ? `quarantined: ${botSignal}` : null,
    nextAttemptAt: botSignal ? null : undefined,
  };
}
