import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';
import type { LeadRow } from '../database/tables.ts';
import { ADDRESS_IS_FREE, LEASE_SECONDS, releaseAddress, renewAddress, leaseAddressOfLead } from './address-lease.ts';
import { openAttempt } from './attempts.ts';
import { IS_NOT_CORRECTED, withdrawCorrected } from './retry.ts';

/*
 * Claims a lead: one transaction leases its address, claims its row and opens an attempt.
 * Before: `sync.processor.ts` in the worker has a slot. Next: it sends the request, and `outcome.ts` records the outcome.
 */

/** A claimed lead, and what this run needs to know about earlier ones. */
export type Run = {
  attemptId: string;
  kind: 'push' | 'probe';
  lead: LeadRow;
  /** An earlier request may have added this person, so look them up first. */
  mayBeThereAlready: boolean;
};

type ClaimedRow = LeadRow & { isProbe: boolean; wasUnknown: boolean; isPersonKnown: boolean };

export type ClaimRequest = {
  leadId: string;
  attemptId: string;
  worker: string;
  /** The rate limiter's generation when it gave this run its slot. Null if the rate limiter is off. */
  limiterGeneration: number | null;
};

/**
 * Returns true if a run could claim this lead now: it is pending, due and unclaimed, its address is free, and the sync is
 * not paused, or this lead is the probe.
 */
export async function isLeadDue(db: Database, leadId: string): Promise<boolean> {
  const row = await db('leads')
    .join('sync_health', db.raw('true'))
    .where({ 'leads.id': leadId, beehiivStatus: 'pending' })
    .whereRaw('next_attempt_at <= sync_now() and (claimed_until is null or claimed_until <= sync_now())')
    .whereRaw('(paused_since is null or probe_lead_id = leads.id)')
    .whereRaw(ADDRESS_IS_FREE)
    .first('leads.id');
  return row !== undefined;
}

/**
 * Claims a due lead for one run; of several callers, exactly one succeeds. Returns null if the lead is settled,
 * corrected, not due or claimed, if its address is leased, if the sync is paused, or if the slot is void.
 */
export async function claimLead(db: Database, request: ClaimRequest): Promise<Run | null> {
  return db.transaction(async (trx) => {
    if (!(await leaseAddressOfLead(trx, request.leadId, request.attemptId))) return null;

    const [row] = await query<ClaimedRow>(
      trx,
      `with before as (
         select leads.id, leads.outcome_unknown, health.paused_since is not null as is_probe,
           leads.round_started_at is null or leads.round_started_at < health.last_outage_to as has_fresh_budget
         from leads, sync_health health, rate_limiter rateLimiter
         where leads.id = :leadId and leads.beehiiv_status = 'pending'
           and leads.next_attempt_at <= sync_now()
           and (leads.claimed_until is null or leads.claimed_until <= sync_now())
           and (health.paused_since is null or health.probe_lead_id = leads.id)
           and (:limiterGeneration::int is null or rateLimiter.generation = :limiterGeneration)
           and ${IS_NOT_CORRECTED}
         for no key update of leads
       ), used as (
         update sync_health set probe_lead_id = null from before where before.is_probe
       )
       update leads set claim = :attemptId, claimed_until = sync_now() + make_interval(secs => :lease),
         round_started_at = case when has_fresh_budget then sync_now() else round_started_at end,
         sync_attempts = case when has_fresh_budget then 0 else sync_attempts end, outcome_unknown = true
       from before where leads.id = before.id
       returning leads.*, before.is_probe, before.outcome_unknown as was_unknown, exists (
         select from leads other where other.email_normalised = leads.email_normalised
           and (other.subscriber_id is not null or other.beehiiv_status = 'sent'
             or (other.outcome_unknown and other.id <> leads.id))
       ) as is_person_known`,
      { ...request, lease: LEASE_SECONDS },
    );
    if (!row) {
      await withdrawCorrected(trx, request.leadId);
      await releaseAddress(trx, request.attemptId);
      return null;
    }
    const { isProbe, wasUnknown, isPersonKnown, ...lead } = row;
    const kind = isProbe ? 'probe' : 'push';
    await openAttempt(trx, { ...request, kind, round: lead.syncRound });
    return { attemptId: request.attemptId, kind, lead, mayBeThereAlready: wasUnknown || isPersonKnown };
  });
}

/** Renews the leases of lead and address. Returns false if the run has lost its lead and must not send. */
export async function renewClaim(db: Database, run: Run): Promise<boolean> {
  return db.transaction(async (trx) => {
    const renewed = await query(
      trx,
      `update leads set claimed_until = sync_now() + make_interval(secs => :lease)
       where id = :leadId and claim = :attemptId and claimed_until > sync_now() returning id`,
      { leadId: run.lead.id, attemptId: run.attemptId, lease: LEASE_SECONDS },
    );
    return renewed.length > 0 && (await renewAddress(trx, run.attemptId));
  });
}
