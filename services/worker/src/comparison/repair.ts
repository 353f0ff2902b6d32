import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { LeadRow, Row } from '@site/platform/database/tables';
import { leaseEmail, releaseEmail } from '@site/platform/outbox/email-lease';
import { closeAttempt, openAttempt } from '@site/platform/outbox/attempts';
import type { AttemptOutcome } from '@site/platform/outbox/attempts';
import { readPerson } from '@site/platform/outbox/claim';
import { lockPeople, lockPeopleOf } from '@site/platform/people/person';
import { recordSubscribers } from '@site/platform/people/subscribers';
import { requestTier } from '@site/platform/people/tier';
import { deleteDifference } from './differences.repository.ts';
import { toJudged } from '@site/schema/beehiiv-answers';
import { createPrepareNext } from '../newsletter/rate-limiter.ts';
import { deliver, byConsent } from '../sync/deliver.ts';
import type { SyncDeps } from '../sync/sync.processor.ts';
import { toNewSubscriber } from '../newsletter/to-new-subscriber.ts';

/** The dependencies of a run, without those for deciding about retries. */
export type RepairDeps = Omit<SyncDeps, 'backoffBaseMs' | 'random' | 'log'>;

/**
 * Sends a few consents that repeats gave to sent leads. Repeats failed sends after five minutes.
 */
export async function sendLaterConsents(deps: RepairDeps, signal: AbortSignal): Promise<void> {
  const due = await query<{ id: string }>(
    deps.db,
    `select id from free_leads
     where consent_due_at <= sync_now() and (select not is_paused_by_setting from sync_health)
     order by consent_due_at
     limit 20`,
  );
  for (const { id } of due) {
    if (signal.aborted) return;
    await repairLead(deps, id, signal);
  }
}

/**
 * Looks up a sent lead's subscriber, then adds or updates them. Returns true if Beehiiv now has
 * them.
 */
export async function repairLead(
  deps: RepairDeps,
  leadId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, rateLimiter, newsletter } = deps;
  await rateLimiter.waitForSlot(signal, 'background');
  const attemptId = deps.newId();
  const lead = await claimRepair(db, { leadId, attemptId, worker: deps.worker });
  if (!lead) return false;
  const prepareNext = createPrepareNext(deps, attemptId, signal, 'background');
  const startedAt = performance.now();
  const person = await readPerson(db, lead);
  const { own, isPremium } = person;
  const subscriber = toNewSubscriber(lead, own, deps.delivery, deps.fieldCatalog, isPremium);
  const delivery = {
    subscriber,
    mayBeThereAlready: true,
    // The list may be out of date: somebody who unsubscribed is not missing. A consent after that
    // may count.
    reactivate:
      lead.consentDueAt === null
        ? undefined
        : byConsent(deps, { lead, ...person }, subscriber, prepareNext),
  };
  const answer = (await deliver(newsletter, delivery, prepareNext)) ?? LOST;
  const tookMs = Math.round(performance.now() - startedAt);
  await recordRepair(db, attemptId, lead, { ...answer, tookMs }, answer.subscriber);
  return answer.class === 'accepted';
}

const LOST = {
  ...toJudged('not-recorded'),
  httpStatus: null,
  message: 'Another run took over the email',
  response: '',
  requestId: null,
  isOutcomeKnown: false,
  subscriber: null,
  retryAfterMs: undefined,
} as const;

/**
 * Leases a sent lead's email and opens an attempt. Returns null if the lead is not sent, the email
 * is leased, or the sync is paused.
 */
export async function claimRepair(
  db: Database,
  request: { leadId: string; attemptId: string; worker: string },
): Promise<LeadRow | null> {
  return db.transaction(async (trx) => {
    await lockPeopleOf(trx, [request.leadId]);
    const lead = await trx<LeadRow>('leads')
      .where({ id: request.leadId, beehiivStatus: 'sent' })
      .whereRaw('(select not is_paused_by_setting from sync_health)')
      .first();
    if (!lead || !(await leaseEmail(trx, lead.emailNormalised, request.attemptId))) return null;
    await openAttempt(trx, { ...request, kind: 'repair', round: lead.syncRound });
    return lead;
  });
}

/**
 * Closes the attempt and stores the subscriber's status. The lead stays sent, and no outcome
 * changes the sync's health.
 */
export async function recordRepair(
  db: Database,
  attemptId: string,
  lead: LeadRow,
  outcome: AttemptOutcome,
  subscriber: { id: string; status: string } | null,
): Promise<void> {
  await db.transaction(async (trx) => {
    await lockPeople(trx, [lead.emailNormalised]);
    await closeAttempt(trx, attemptId, outcome);
    if (lead.consentDueAt) {
      const isSettled = outcome.class === 'accepted' || outcome.class === 'permanent';
      const consentDueAt = isSettled ? null : trx.raw("sync_now() + interval '5 minutes'");
      await trx('leads').where({ id: lead.id }).update({ consentDueAt });
    }
    const isAccepted = outcome.class === 'accepted';
    const told = { email: lead.emailNormalised, id: null, status: null, ...subscriber };
    if (subscriber || isAccepted) await recordSubscribers(trx, [{ ...told, wasAdded: isAccepted }]);
    if (isAccepted)
      await deleteDifference(trx, { emailNormalised: lead.emailNormalised, remedy: 'add-again' });
    await releaseEmail(trx, attemptId);
  });
}

/*
 * Applies the remedies that an operator requested, in the console or with --fix. Before:
 * `differences.repository.ts` stores the remedy. Next: for a tier, `subscribers/tier.processor.ts`.
 */

/** Applies every remedy that an operator requested. Repeats failed remedies after a while. */
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

/** Applies one difference's remedy. Returns false without a remedy, or if it must be repeated. */
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
