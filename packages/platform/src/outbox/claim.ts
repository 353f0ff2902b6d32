import type { Database } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';
import type { LeadRow } from '../database/tables.ts';
import { IS_BLOCKED } from '../sync-health.ts';
import { ADDRESS_IS_FREE, IS_BEING_ERASED, LEASE_SECONDS, ON_ENDED_LEASE, releaseAddress } from './address-lease.ts';
import { ENDED_WITHOUT_OUTCOME } from './attempts.ts';
import { IS_DUE } from './pending.ts';
import { IS_NOT_CORRECTED, withdrawCorrected } from './retry.ts';

/*
 * Claims a lead: one statement leases its address and opens an attempt. While the attempt is open and the lease lasts, the
 * lead belongs to this run; an attempt found open without a lease is that of a run that died.
 * Before: `sync.processor.ts` in the worker has a slot. Next: it sends the request, and `outcome.ts` records the outcome.
 */

/** A claimed lead, and what this run needs to know about earlier ones. */
export type Run = {
  attemptId: string;
  lead: LeadRow;
  /** An earlier request may have added this person, so look them up first. */
  mayBeThereAlready: boolean;
  /** They were subscribed, or had unsubscribed, after they gave this consent: it no longer allows to resubscribe them. */
  isConsentOutdated: boolean;
  /** They pay, so Beehiiv need not ask whether they want the newsletter. */
  isPaying: boolean;
};

export type ClaimRequest = {
  leadId: string;
  attemptId: string;
  worker: string;
  /** The lead is tried although it is not due, to find out whether an outage or a refusal pause is over. */
  isProbe?: boolean;
};

/** Returns true if a run could claim this lead now. */
export async function isLeadDue(db: Database, leadId: string): Promise<boolean> {
  const row = await db('leads')
    .join('sync_health', db.raw('true'))
    .where({ 'leads.id': leadId })
    .whereRaw(IS_DUE)
    .whereRaw(ADDRESS_IS_FREE)
    .first('leads.id');
  return row !== undefined;
}

const MAY_BE_CLAIMED = {
  push: IS_DUE,
  probe: `beehiiv_status = 'pending' and not ${IS_BLOCKED}`,
};

/**
 * Claims a due lead for one run; of several callers, exactly one succeeds. Returns null if the lead is settled, corrected
 * or not due, if its address is leased or being erased, if the sync is paused, or if the newsletter refuses requests for
 * a while after a 429.
 */
export async function claimLead(db: Database, { isProbe = false, ...request }: ClaimRequest): Promise<Run | null> {
  const kind = isProbe ? 'probe' : 'push';
  // Whether the lead is due is asked again once its row is locked: the statement may have waited for the address.
  const [lead] = await query<LeadRow>(
    db,
    `with lease as (
       insert into address_leases (email_normalised, leased_by, leased_until)
         select email_normalised, :attemptId::uuid, sync_now() + make_interval(secs => :lease)
         from leads, sync_health, rate_limiter
         where leads.id = :leadId and ${MAY_BE_CLAIMED[kind]} and resumes_at <= sync_now()
           and ${IS_NOT_CORRECTED} and not ${IS_BEING_ERASED}
       ${ON_ENDED_LEASE} returning leased_by
     ), claimed as (
       select leads.* from lease, leads, sync_health where leads.id = :leadId and ${MAY_BE_CLAIMED[kind]}
       for no key update of leads
     ), died as (
       update lead_sync_attempts set class = 'unknown', message = :ended from claimed
       where lead_id = claimed.id and class is null returning lead_id
     ), noted as (
       update leads set outcome_unknown = true where id in (select lead_id from died) and not outcome_unknown
     ), opened as (
       insert into lead_sync_attempts (id, lead_id, kind, round, number, worker)
         select :attemptId, claimed.id, :kind, claimed.sync_round, 1 + coalesce((
           select max(number) from lead_sync_attempts earlier
           where earlier.lead_id = claimed.id and earlier.round = claimed.sync_round
         ), 0), :worker from claimed
     )
     select * from claimed`,
    { ...request, kind, lease: LEASE_SECONDS, ended: ENDED_WITHOUT_OUTCOME },
  );
  if (!lead) {
    await releaseAddress(db, request.attemptId);
    await withdrawCorrected(db, request.leadId);
    return null;
  }
  return { attemptId: request.attemptId, lead, ...(await readPerson(db, lead)) };
}

type Person = Pick<Run, 'mayBeThereAlready' | 'isConsentOutdated' | 'isPaying'>;

/** Reads what is known about a person. A statement of its own: it must see what the previous run recorded. */
async function readPerson(db: Database, lead: LeadRow): Promise<Person> {
  return queryOne(
    db,
    `select coalesce(bool_or(subscriber_id is not null or beehiiv_status = 'sent' or outcome_unknown or (id <> :id and exists (
         select from lead_sync_attempts where lead_id = leads.id and class is null
       ))), false) as may_be_there_already,
       coalesce(bool_or(beehiiv_sent_at > :consentAt or (subscriber_status = 'inactive' and subscriber_checked_at > :consentAt)), false)
         as is_consent_outdated,
       exists (select from subscriber_tiers where email_normalised = :email and wanted = 'premium') as is_paying
     from leads where email_normalised = :email`,
    { id: lead.id, email: lead.emailNormalised, consentAt: lead.consentTimestamp ?? lead.submittedAt },
  );
}
