import { BEEHIIV_ANSWERS } from '@site/schema/beehiiv-answers';
import type { BeehiivAnswer } from '@site/schema/beehiiv-answers';
import { toSnake } from '../database/connect.ts';
import type { Database } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';
import { TABLES } from '../database/tables.ts';
import type { LeadRow } from '../database/tables.ts';
import { LEASE_SECONDS } from './address-lease.ts';
import { ENDED_WITHOUT_OUTCOME } from './attempts.ts';
import { listsInOrder } from './pending.ts';
import { withdrawCorrected } from './correction.ts';

/*
 * Claims the most urgent due lead: one statement chooses it, leases its email and opens an attempt.
 * While the attempt is open and the lease lasts, the lead belongs to this run. An open attempt
 * without a lease is that of a dead run.
 * Before: `sync.processor.ts` in the worker has a slot. Next: it sends the request, and
 * `outcome.ts` records the outcome.
 */

/** A claimed lead, and facts about earlier ones that this run needs. */
export type Run = {
  attemptId: string;
  lead: LeadRow;
  /** An earlier request may have added this person, so look them up first. */
  mayBeThereAlready: boolean;
  /**
   * The time of our last knowledge that they were subscribed or had left: an older consent does not
   * resubscribe them.
   */
  knownSince: Date | null;
  /** They receive the paid issue, so Beehiiv need not ask whether they want the newsletter. */
  isPremium: boolean;
  isPayer: boolean;
};

/**
 * The most urgent due lead, a lead tried before if there is any, or a waiting lead, due or not,
 * that tests whether an outage or a refusal pause is over.
 */
export type Choice = 'urgent' | 'retry' | 'probe';

export type ClaimRequest = { attemptId: string; worker: string; choice?: Choice };

/** Other runs may take the chosen lead first at most this often. */
const MAX_RACES = 20;

/** Named columns: a prepared claim survives a new column. */
const COLUMNS = Object.keys(TABLES.leads)
  .map((name) => `leads.${toSnake(name)}`)
  .join(', ');

/** A lead of one list that no other run is claiming, with a free email. */
const firstOf = (list: string) => `
  select ${COLUMNS} from leads, rate_limiter
  where ${list} and resumes_at <= sync_now()
    and not exists (select from address_leases lease
      where lease.email_normalised = leads.email_normalised and lease.leased_until > sync_now())
    and not exists (select from erasing where erasing.email_normalised = leads.email_normalised)
  order by next_attempt_at limit 1 for no key update of leads skip locked`;

/** Chooses from the first list that is not empty. Postgres does not read the lists after it. */
function chooseFrom(lists: string[]): string {
  const isEarlierEmpty = (n: number) =>
    lists.slice(0, n).map((_, earlier) => ` and not exists (select from list${earlier})`);
  return [
    ...lists.map((list, n) => `list${n} as (${firstOf(list + isEarlierEmpty(n).join(''))})`),
    `chosen as (${lists.map((_, n) => `select * from list${n}`).join(' union all ')})`,
  ].join(', ');
}

const REFUSALS = Object.entries<BeehiivAnswer>(BEEHIIV_ANSWERS).flatMap(([reason, answer]) =>
  answer.class === 'permanent' ? [reason] : [],
);

/**
 * Chooses the lead tried longest ago, among a thousand that wait. Refused leads come last: others
 * may wait with them since an outage, and one accepted addition frees all.
 */
const CHOOSE_PROBE = `
  waiting as materialized (
    select id from leads where beehiiv_status = 'pending' order by next_attempt_at desc limit 1000
  ), chosen as (
    select ${COLUMNS} from leads, sync_health, rate_limiter
    where leads.id in (select id from waiting) and beehiiv_status = 'pending' and not is_blocked
      and resumes_at <= sync_now() and corrected_to is null
      and not exists (select from address_leases lease
        where lease.email_normalised = leads.email_normalised and lease.leased_until > sync_now())
      and not exists (select from erasing where erasing.email_normalised = leads.email_normalised)
    order by coalesce(beehiiv_reason = any(:refusals::text[]), false), updated_at limit 1
    for no key update of leads skip locked
  )`;

const CHOOSE: Record<Choice, string> = {
  urgent: chooseFrom(listsInOrder(false)),
  retry: chooseFrom(listsInOrder(true)),
  probe: CHOOSE_PROBE,
};

/**
 * Claims a lead for one run; concurrent callers get different leads. Returns null if no lead is due
 * at a free email, the sync is paused, or a 429 has closed the rate limiter.
 */
export async function claimLead(
  db: Database,
  { choice = 'urgent', ...request }: ClaimRequest,
): Promise<Run | null> {
  for (let races = 0; races < MAX_RACES; races += 1) {
    const [chosen] = await query<LeadRow & { isClaimed: boolean }>(
      db,
      `with ${CHOOSE[choice]}, lease as (
         insert into address_leases (email_normalised, leased_by, leased_until)
           select email_normalised, :attemptId::uuid, sync_now() + make_interval(secs => :lease)
           from chosen where corrected_to is null and not exists (select from erasing where erasing.email_normalised = chosen.email_normalised)
         on conflict (email_normalised) do update set leased_by = excluded.leased_by, leased_until = excluded.leased_until
           where address_leases.leased_until <= sync_now()
         returning leased_by
       ), claimed as (
         select chosen.* from chosen, lease
       ), died as (
         update lead_sync_attempts set class = 'unknown', reason = 'not-recorded', message = :ended from claimed
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
       select *, exists (select from claimed) as is_claimed from chosen`,
      {
        ...request,
        kind: choice === 'probe' ? 'probe' : 'push',
        lease: LEASE_SECONDS,
        ended: ENDED_WITHOUT_OUTCOME,
        ...(choice === 'probe' && { refusals: REFUSALS }),
      },
      `claim ${choice}`,
    );
    if (!chosen) return null;
    const { isClaimed, ...lead } = chosen;
    if (isClaimed) return { attemptId: request.attemptId, lead, ...(await readPerson(db, lead)) };
    // A dead run may have left a lead pending whose email was corrected meanwhile. Otherwise
    // another run was faster.
    await withdrawCorrected(db, lead.id);
  }
  return null;
}

export type Person = Pick<Run, 'mayBeThereAlready' | 'knownSince' | 'isPremium' | 'isPayer'>;

/**
 * Reads our knowledge of a lead's person. A statement of its own: it must see the records of the
 * previous run. A dead run may have sent a lead without recording its subscriber.
 */
export async function readPerson(
  db: Database,
  { id, emailNormalised: email }: LeadRow,
): Promise<Person> {
  return queryOne(
    db,
    `with known as (
       select case when status = 'inactive' then status_since else learned_at end as since
       from people where email_normalised = :email and status is not null
     )
     select exists (select from known)
         or coalesce(bool_or(beehiiv_status = 'sent' or outcome_unknown or (id <> :id and exists (
           select from lead_sync_attempts where lead_id = leads.id and class is null
         ))), false) as may_be_there_already,
       coalesce((select since from known), max(beehiiv_sent_at)) as known_since,
       exists (select from people where email_normalised = :email and wanted = 'premium') as is_premium,
       exists (
         select from subscriptions
         where email_normalised = :email and is_live and email_corrected_at is null
       ) as is_payer
     from leads where email_normalised = :email`,
    { id, email },
    'read person',
  );
}
