import { BEEHIIV_ANSWERS } from '@site/schema/beehiiv-answers';
import type { BeehiivAnswer } from '@site/schema/beehiiv-answers';
import { toSnake } from '../database/connect.ts';
import type { Database } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';
import { TABLES } from '../database/tables.ts';
import type { LeadRow } from '../database/tables.ts';
import { LEASE_SECONDS } from './email-lease.ts';

/*
 * Claims the most urgent due lead: one statement chooses it, leases its email and opens an attempt.
 * While the attempt is open and the lease lasts, the lead belongs to this run. An open attempt
 * without a lease belongs to a dead run.
 * Before: `sync.processor.ts` in the worker has a slot. Next: it sends the request, and
 * `outcome.ts` records the outcome.
 */

/** A claimed lead, and the facts about earlier runs that this run needs. */
export type Run = {
  attemptId: string;
  lead: LeadRow;
  /** An earlier request may have added this person, so look them up first. */
  mayBeThereAlready: boolean;
  /** When we last knew them subscribed or gone. An older consent does not resubscribe them. */
  knownSince: Date | null;
  /** We had unsubscribed their email, so any consent here is its later owner's. */
  unsubscribedByUs: boolean;
  /** They receive the paid issue, so Beehiiv need not ask whether they want the newsletter. */
  isPremium: boolean;
  /** We had unsubscribed their email, which is undone once. */
  mustActivate: boolean;
  /** The payer's own details, which other leads of the email leave as they are. */
  own: OwnDetails;
};

/** The details of a payer's subscription and its lead. Empty for everybody else. */
export type OwnDetails = Partial<LeadRow>;

/**
 * `urgent`: the most urgent due lead. `retry`: a retry if one is due. `probe`: any waiting lead, to
 * test whether an outage or a refusal pause is over.
 */
export type Choice = 'urgent' | 'retry' | 'probe';

export type ClaimRequest = { attemptId: string; worker: string; choice?: Choice };

/** A claim gives up after losing its chosen lead to other runs this often. */
const MAX_RACES = 20;

/** Named, so that a prepared claim survives a new column. */
const COLUMNS = Object.keys(TABLES.leads)
  .map((name) => `leads.${toSnake(name)}`)
  .join(', ');

const REFUSALS = Object.entries<BeehiivAnswer>(BEEHIIV_ANSWERS).flatMap(([reason, answer]) =>
  answer.class === 'permanent' ? [reason] : [],
);

/*
 * The lists of due leads: priority (payers, or retried alone, never many), new, retry, leads that
 * wait for the end of an outage or refusal pause, and bulk. An index keeps each list in order, so
 * its first lead is found at once, however many wait. New, retry and bulk are ranges of pairs
 * (urgency, time), because only the index of these pairs has that order: with old statistics
 * Postgres would choose another index and read all due leads. `coalesce` reads a list only if the
 * lists before it are empty. The outer lock returns the current lead. The outer scan alone would
 * return the lead as it was before waiting for a lock. The choice is in a subselect, because with a
 * plain value Postgres would plan each claim anew.
 */
const CLAIM = `
  with chosen as (
    select ${COLUMNS} from leads
    where id = (
      select case
        when (select :isProbe::boolean) then (
          -- The lead tried longest ago, among a thousand that wait. Refused leads come last,
          -- because leads from an outage may wait with them, and one accepted addition frees all.
          select id from free_leads
          where beehiiv_status = 'pending'
            and id in (
              select id from leads
              where beehiiv_status = 'pending'
              order by next_attempt_at desc
              limit 1000
            )
          order by coalesce(beehiiv_reason = any(:refusals::text[]), false), updated_at
          limit 1
          for no key update skip locked
        )
        else coalesce(
          case when (select not :prefersRetries::boolean) then coalesce(
            (
              select id from free_leads
              where urgency = 'priority' and beehiiv_status = 'pending'
                and (
                  next_attempt_at <= sync_now()
                  or (next_attempt_at is null and (select not waits_for_beehiiv from sync_health))
                )
              order by next_attempt_at
              limit 1
              for no key update skip locked
            ), (
              select id from free_leads
              where beehiiv_status = 'pending'
                and (urgency, next_attempt_at) >= ('new', '-infinity')
                and (urgency, next_attempt_at) <= ('new', sync_now())
              order by urgency, next_attempt_at
              limit 1
              for no key update skip locked
            )
          ) end, (
            select id from free_leads
            where beehiiv_status = 'pending'
              and (urgency, next_attempt_at) >= ('retry', '-infinity')
              and (urgency, next_attempt_at) <= ('retry', sync_now())
            order by urgency, next_attempt_at
            limit 1
            for no key update skip locked
          ), (
            select id from free_leads
            where beehiiv_status = 'pending' and next_attempt_at is null
              and (select not waits_for_beehiiv from sync_health)
            -- Bulk comes last.
            order by urgency desc
            limit 1
            for no key update skip locked
          ), (
            select id from free_leads
            where beehiiv_status = 'pending'
              and (urgency, next_attempt_at) >= ('bulk', '-infinity')
              and (urgency, next_attempt_at) <= ('bulk', sync_now())
            order by urgency, next_attempt_at
            limit 1
            for no key update skip locked
          )
        )
      end
      from sync_health, rate_limiter
      where not is_paused_by_setting and resumes_at <= sync_now()
    )
    for no key update
  ), lease as materialized (
    select lease_email(email_normalised, :attemptId, :lease) as is_taken from chosen
    where not exists (select from erasing where erasing.email_normalised = chosen.email_normalised)
  ), opened as materialized (
    select open_attempt(:attemptId, id, :kind, sync_round, :worker) as is_open from chosen, lease
    where is_taken
  )
  select chosen.*, coalesce((select is_open from opened), false) as is_claimed from chosen`;

/**
 * Claims a lead for one run. Concurrent callers get different leads. Returns null if no lead is due
 * at a free email, the sync is paused, or a 429 has closed the rate limiter.
 */
export async function claimLead(
  db: Database,
  { choice = 'urgent', ...request }: ClaimRequest,
): Promise<Run | null> {
  for (let races = 0; races < MAX_RACES; races += 1) {
    const [chosen] = await query<LeadRow & { isClaimed: boolean }>(
      db,
      CLAIM,
      {
        ...request,
        isProbe: choice === 'probe',
        prefersRetries: choice === 'retry',
        kind: choice === 'probe' ? 'probe' : 'push',
        lease: LEASE_SECONDS,
        refusals: REFUSALS,
      },
      'claim',
    );
    // Only leads that are not new were looked for.
    if (!chosen) return choice === 'retry' ? claimLead(db, request) : null;
    const { isClaimed, ...lead } = chosen;
    if (isClaimed)
      return { attemptId: request.attemptId, lead, ...(await readSubscriberFacts(db, lead)) };
    // Another run was faster.
  }
  return null;
}

export type Person = Pick<
  Run,
  'mayBeThereAlready' | 'knownSince' | 'unsubscribedByUs' | 'isPremium' | 'mustActivate' | 'own'
>;

/**
 * Reads our knowledge of a lead's person. A separate statement, because it must see the previous
 * run's records. A dead run may have sent a lead without recording its subscriber.
 */
export async function readSubscriberFacts(
  db: Database,
  { emailNormalised: email }: LeadRow,
): Promise<Person> {
  const { isPayer, ...person } = await queryOne<Omit<Person, 'own'> & { isPayer: boolean }>(
    db,
    `select person.status is not null
         or coalesce(bool_or(beehiiv_status = 'sent' or outcome_unknown), false)
         -- A corrected lead may have added it.
         or exists (select from former_emails where email_normalised = :email)
         as may_be_there_already,
       coalesce(case
           -- Our own unsubscription is not theirs.
           when person.status is null or unsubscribed_by_us_at is not null then null
           when person.status = 'inactive' then status_since
           else learned_at
         end, max(beehiiv_sent_at)) as known_since,
       unsubscribed_by_us_at is not null as unsubscribed_by_us,
       coalesce(tier = 'premium', false) as is_premium,
       coalesce(must_activate and tier is distinct from 'premium', false) as must_activate,
       exists (
         select from subscriptions where email_normalised = :email and is_live
       ) as is_payer
     from (select) always
       left join people person on person.email_normalised = :email
       left join leads on leads.email_normalised = :email
     group by person.email_normalised`,
    { email },
    'read person',
  );
  return { ...person, own: isPayer ? await readOwnDetails(db, email) : {} };
}

/**
 * Reads what a payer's newest live subscription and its lead say, without what is empty. Empty for
 * an email that does not pay.
 */
async function readOwnDetails(db: Database, emailNormalised: string): Promise<OwnDetails> {
  const [own] = await query<{ name: string; company: string; phone: string; leadId: string }>(
    db,
    `select name, company, phone, lead_id from subscriptions
     where email_normalised = :emailNormalised and is_live
     order by started_at desc nulls last, stripe_subscription_id
     limit 1`,
    { emailNormalised },
  );
  if (!own) return {};
  const { name, company, phone, leadId } = own;
  const lead = leadId && (await db('leads').where({ id: leadId, emailNormalised }).first());
  return { ...filled({ fullName: name, company, phone }), ...filled(lead || {}) };
}

const filled = (details: object): OwnDetails =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null));
