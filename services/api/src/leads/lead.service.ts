import type { Clock } from '@site/platform/clock';
import type { Database } from '@site/platform/database/connect';
import type { LeadAttributionRow } from '@site/platform/database/tables';
import type { Logger } from '@site/platform/logger';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { retryLeads } from '@site/platform/outbox/retry';
import { CURRENT_CONSENT_VERSION } from '@site/schema/consent';
import type { BeehiivStatus, FormType, LeadIntakeBody } from '@site/schema/lead';
import { findBotSignal } from './bot-signals.ts';
import type { ClientFacts } from './client-facts.ts';
import { fillEmptyFields, insertLead, insertSampleRequest, readLeadForRepeat } from './lead.repository.ts';
import type { NewLead } from './lead.repository.ts';
import { takeRepeatKeys } from './lead-repeats.repository.ts';

/*
 * A submission becomes a row. Once this answers, the lead cannot be lost: it is committed, and the sweep
 * finds it whatever happens to the queue. Nothing here waits for Redis or the newsletter.
 * Before: `lead.routes.ts`. Next: `lead.repository.ts`, then the outbox.
 */

export type CaptureDeps = {
  db: Database;
  clock: Clock;
  syncQueue: Pick<SyncQueue, 'wake'>;
  newId: () => string;
  log: Logger;
  /** Told of every submission once it is committed. */
  onLeadCaptured?: (formType: FormType, outcome: CaptureOutcome) => void;
};

export type CaptureOutcome = 'created' | 'repeated' | 'quarantined';
export type Captured = { kind: 'created' | 'repeated'; id: string; beehiivStatus: BeehiivStatus };

/**
 * Stores a submission, or finds the lead it repeats, and then wakes the queue without waiting for it.
 * A repeat (same key and address, or same address and form within ten minutes) fills that lead's empty
 * fields and overwrites none. What looks like a robot's is stored but not sent; a clean repeat lifts that.
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
  deps.onLeadCaptured?.(body.formType, isQuarantined ? 'quarantined' : captured.kind);
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
  // Whoever is quarantined gets the ordinary answer: a robot learns nothing from it.
  const beehiivStatus = isQuarantined ? 'pending' : first.beehiivStatus;
  return { captured: { kind: 'repeated', id: leadId, beehiivStatus }, isDue: isLifted };
}

/** The job only says "try this lead now"; when it cannot be queued the sweep does the same a little later. */
function wake({ syncQueue, log }: CaptureDeps, leadId: string): void {
  syncQueue.wake([leadId]).catch((err: unknown) => log.debug({ err, leadId }, 'lead is left to the sweep'));
}

function toNewLead({ clock, newId }: CaptureDeps, body: LeadIntakeBody, facts: ClientFacts): NewLead {
  const now = clock.now();
  const botSignal = findBotSignal(body);
  return {
    id: newId(),
    email: body.email,
    formType: body.formType,
    fullName: body.fullName ?? null,
    company: body.company ?? null,
    phone: body.phone ?? null,
    message: body.message ?? null,
    submittedAt: now,
    consentMarketing: body.consentMarketing,
    consentTimestamp: body.consentMarketing ? now : null,
    consentTextVersion: body.consentTextVersion ?? CURRENT_CONSENT_VERSION,
    consentPage: facts.page,
    ipAddress: facts.ipAddress,
    userAgent: facts.userAgent,
    deviceType: facts.deviceType,
    country: facts.country,
    region: facts.region,
    city: facts.city,
    quarantineReason: botSignal,
    beehiivStatus: botSignal ? 'failed' : 'pending',
    beehiivResponse: botSignal ? `quarantined: ${botSignal}` : null,
    nextAttemptAt: botSignal ? null : undefined,
    ...toAttribution(body),
  };
}

function toAttribution(body: LeadIntakeBody): LeadAttributionRow {
  return {
    utmSource: body.utmSource ?? null,
    utmMedium: body.utmMedium ?? null,
    utmCampaign: body.utmCampaign ?? null,
    utmTerm: body.utmTerm ?? null,
    utmContent: body.utmContent ?? null,
    gclid: body.gclid ?? null,
    fbclid: body.fbclid ?? null,
    ttclid: body.ttclid ?? null,
    landingPage: body.landingPage ?? null,
    firstPage: body.firstPage ?? null,
    referrer: body.referrer ?? null,
    sessionId: body.sessionId ?? null,
    gaClientId: body.gaClientId ?? null,
    visitUtmSource: body.visitUtm.source ?? null,
    visitUtmMedium: body.visitUtm.medium ?? null,
    visitUtmCampaign: body.visitUtm.campaign ?? null,
    visitUtmTerm: body.visitUtm.term ?? null,
    visitUtmContent: body.visitUtm.content ?? null,
    firstUtmSource: body.firstUtm.source ?? null,
    firstUtmMedium: body.firstUtm.medium ?? null,
    firstUtmCampaign: body.firstUtm.campaign ?? null,
    firstUtmTerm: body.firstUtm.term ?? null,
    firstUtmContent: body.firstUtm.content ?? null,
  };
}
