import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { LeadRow } from '@site/platform/database/tables';
import { recordInHealth } from '@site/platform/health/sync-health';
import { closeAttempt, openAttempt, toMessage } from '@site/platform/outbox/attempts';
import type { AttemptOutcome } from '@site/platform/outbox/attempts';
import { readSubscriberFacts } from '@site/platform/outbox/claim';
import type { Person } from '@site/platform/outbox/claim';
import { ADDRESS_IS_USED } from '@site/platform/outbox/correction';
import { leaseEmail, releaseEmail } from '@site/platform/outbox/email-lease';
import { judgePeople, lockPeople } from '@site/platform/people/person';
import { ABSENT, recordSubscribers } from '@site/platform/people/subscribers';
import { requestTier, undoOwnUnsubscription } from '@site/platform/people/tier';
import type { Subscriber } from '../newsletter/newsletter.port.ts';
import type { Urgency } from '../newsletter/rate-limiter.ts';
import type { Facts, Step } from './next-step.ts';

/*
 * The wishes about people: the view `wishes` lists them, and each keeps its own time and attempts
 * where it is stored. Before: `person.processor.ts` has a slot. Next: `next-step.ts` decides.
 */

const REMOVAL = {
  table: 'removal_requests',
  key: 'id',
  time: 'nextAttemptAt',
  counter: 'attempts',
} as const;
const REMEDY = { table: 'differences', key: 'id', time: 'requestedAt', counter: null } as const;

/** Where each kind of wish keeps its time, and its attempts if they count. */
const PLACES = {
  erasure: REMOVAL,
  unsubscribe: REMOVAL,
  tier: { table: 'people', key: 'tierVersion', time: 'tierNextAttemptAt', counter: 'tierAttempts' },
  check: { table: 'people', key: null, time: 'checkDueAt', counter: null },
  consent: { table: 'leads', key: 'id', time: 'consentDueAt', counter: null },
  'add-again': REMEDY,
  'set-premium': REMEDY,
  'set-free': REMEDY,
} as const satisfies Record<Facts['kind'], object>;

/** The kinds whose runs leave an attempt. */
const ATTEMPTS: { [Kind in Facts['kind']]?: 'tier' | 'repair' } = {
  tier: 'tier',
  consent: 'repair',
  'add-again': 'repair',
};

/** `id` is the tier's version, or the id of the request, lead or difference. */
export type Wish = { kind: Facts['kind']; id: string; emailNormalised: string };

/** A claimed wish, and what its person's rows say. */
export type Run = Wish &
  Facts & {
    runId: string;
    /** An erasure's second look. */
    isDeleted: boolean;
    /** When this was read, in microseconds, which tell it from an event of the same millisecond. */
    askedAt: string;
    /** The lead that adds the subscriber, and its person. */
    sender: (Person & { lead: LeadRow }) | null;
  };

/**
 * Finds the wish to serve next, or null: first checks of payers and their readers, then what has
 * been due longest. None while the sync is paused, because with a wrong publication every
 * subscriber would seem absent.
 */
export async function findWish(db: Database, urgency: Urgency): Promise<Wish | null> {
  const [due] = await query<Wish>(
    db,
    `select kind, wishes.id, email_normalised from wishes, sync_health, rate_limiter
     where urgency = :urgency and due_at <= sync_now()
       and not is_paused_by_setting and resumes_at <= sync_now()
       and not exists (
         select from email_leases lease
         where lease.email_normalised = wishes.email_normalised and leased_until > sync_now()
       )
     order by is_first desc, due_at
     limit 1`,
    { urgency },
  );
  return due ?? null;
}

/**
 * Claims the next wish: locks its person, leases the email, and opens an attempt if the kind leaves
 * one. Returns null if none is due or another run was faster.
 */
export async function claimWish(
  db: Database,
  urgency: Urgency,
  { runId, worker }: { runId: string; worker: string },
): Promise<Run | null> {
  return db.transaction(async (trx) => {
    const due = await findWish(trx, urgency);
    const run = due && (await readWish(trx, { ...due, runId }));
    if (!run || !(await leaseEmail(trx, run.emailNormalised, runId))) return null;
    const kind = ATTEMPTS[run.kind];
    if (kind && run.sender) {
      const { id: leadId, syncRound: round } = run.sender.lead;
      await openAttempt(trx, { attemptId: runId, worker, leadId, kind, round });
    }
    return run;
  });
}

/** Reads a wish behind the lock of its person. Returns null if it is no longer due. */
export async function readWish(db: Database, wish: Wish & { runId: string }): Promise<Run | null> {
  return db.transaction(async (trx) => {
    await lockPeople(trx, [wish.emailNormalised]);
    const [row] = await query<Omit<Run, 'runId' | 'sender'> & { leadId: string | null }>(
      trx,
      `select wishes.*, tier, must_activate, must_confirm, sync_now()::text as asked_at,
         case kind
           when 'unsubscribe' then is_email_used(email_normalised)
           when 'erasure' then is_deleted and exists (
             select from leads
             where leads.email_normalised = wishes.email_normalised and beehiiv_status <> 'failed'
           )
           else false
         end as is_used
       from wishes left join people using (email_normalised)
       where kind = :kind and id = :id and email_normalised = :emailNormalised
         and due_at <= sync_now()`,
      wish,
    );
    if (!row) return null;
    const lead = row.leadId && (await trx<LeadRow>('leads').where({ id: row.leadId }).first());
    const sender = lead ? { lead, ...(await readSubscriberFacts(trx, lead)) } : null;
    return { ...row, runId: wish.runId, sender };
  });
}

/**
 * Stores whether an unsubscribed subscriber must still be reactivated for this version's payment.
 */
export async function recordActivation(
  db: Database,
  { emailNormalised, id: tierVersion }: Run,
  { isDue }: { isDue: boolean },
): Promise<void> {
  await db('people')
    .where({ emailNormalised, tierVersion })
    .update({ mustActivate: isDue, mustConfirm: false });
}

export type Outcome = AttemptOutcome & { subscriber: Subscriber | null };

/**
 * Records a run's outcome after its last step, and releases the email. `delayMs` null: the wish is
 * done. Step null: the wish had gone, and only the answer is stored. Setting a tier again is due if
 * it changed since the claim.
 */
export async function recordRun(
  db: Database,
  run: Run,
  { step, delayMs }: { step: Step | null; delayMs: number | null },
  { subscriber, ...outcome }: Outcome,
): Promise<void> {
  const { kind, runId, emailNormalised: email } = run;
  await db.transaction(async (trx) => {
    await lockPeople(trx, [email]);
    await closeAttempt(trx, runId, outcome);
    const isAbsent = kind === 'check' && step === 'finish' && !subscriber;
    const wasAdded = step === 'deliver' && outcome.class === 'accepted';
    if (subscriber || isAbsent || wasAdded) {
      const told = subscriber ?? { id: null, status: isAbsent ? ABSENT : null };
      const at = kind === 'check' && { at: run.askedAt };
      await recordSubscribers(trx, [{ email, ...told, ...at, wasAdded }]);
    }
    if (step && delayMs !== null) await postpone(trx, run, outcome, delayMs);
    else if (step) await finish(trx, run, step, { ...outcome, subscriber });
    // A failed wish proves nothing about leads, but a wrong key affects all of them.
    if (outcome.class === 'configuration') await recordInHealth(trx, outcome, false);
    await releaseEmail(trx, runId);
  });
}

async function postpone(
  trx: Database,
  { kind, id, emailNormalised }: Run,
  { class: answer, reason, message }: AttemptOutcome,
  delayMs: number,
): Promise<void> {
  const { table, key, time, counter } = PLACES[kind];
  const isCounted = counter && (answer === 'transient' || answer === 'permanent');
  await trx(table)
    .where({ emailNormalised, ...(key && { [key]: id }) })
    .update({
      [time]: trx.raw('sync_now() + make_interval(secs => ?)', [delayMs / 1_000]),
      ...(isCounted && { [counter]: trx.raw('?? + 1', [counter]) }),
      ...(table === 'removal_requests' && { reason, lastMessage: toMessage(message) }),
    });
}

/** The record of a removal from an email that somebody uses. */
const USED = {
  erasure: { reason: 'subscribed-again', message: 'They have subscribed again' },
  unsubscribe: ADDRESS_IS_USED,
} as const;

async function finish(trx: Database, run: Run, step: Step, outcome: Outcome): Promise<void> {
  const { kind, id, emailNormalised, askedAt } = run;
  const differences = trx('differences').where({ emailNormalised });
  switch (kind) {
    case 'erasure':
    case 'unsubscribe': {
      const { reason, message } = step === 'drop' ? USED[kind] : outcome;
      const isFirstLook = kind === 'erasure' && !run.isDeleted;
      await trx('removal_requests')
        .where({ id })
        .update({
          reason,
          lastMessage: toMessage(message),
          attempts: trx.raw('attempts + 1'),
          // Beehiiv may still fulfil a request that timed out, so an erasure looks again.
          ...(isFirstLook
            ? {
                deletedAt: trx.raw('sync_now()'),
                nextAttemptAt: trx.raw(`sync_now() + interval '1 hour'`),
              }
            : { doneAt: trx.raw('sync_now()'), emailNormalised: null }),
        });
      if (isFirstLook) return;
      await query(trx, 'select close_dead_attempts(:emailNormalised)', { emailNormalised });
      if (kind === 'erasure') await differences.delete();
      if (step === 'unsubscribe') {
        await trx('people')
          .where({ emailNormalised, status: 'inactive' })
          .update({ unsubscribedByUsAt: trx.raw('sync_now()') });
        if (await isGivenBack(trx, emailNormalised))
          await undoOwnUnsubscription(trx, emailNormalised);
      }
      return judgePeople(trx, [emailNormalised]);
    }
    case 'tier':
      await query(
        trx,
        `update people set
           tier_confirmed_version = :id,
           tier_confirmed_at = case when :isAbsent then tier_confirmed_at else sync_now() end,
           not_receiving_since = case
             when :isAbsent then coalesce(not_receiving_since, sync_now())
           end
         where email_normalised = :emailNormalised
           and tier_version >= :id and tier_confirmed_version < :id`,
        { id: Number(id), emailNormalised, isAbsent: outcome.class !== 'accepted' },
      );
      return;
    case 'check': {
      const tier = outcome.subscriber?.tier ?? null;
      await query(trx, FINISH_CHECK, { emailNormalised, askedAt, tier });
      return;
    }
    case 'consent':
    case 'add-again':
      if (kind === 'consent') await trx('leads').where({ id }).update({ consentDueAt: null });
      if (outcome.class === 'accepted') await differences.where({ remedy: 'add-again' }).delete();
      return;
    case 'set-premium':
    case 'set-free':
      await requestTier(trx, emailNormalised, kind === 'set-premium' ? 'premium' : 'free');
      await differences.where({ remedy: kind }).delete();
  }
}

/**
 * Returns true if an operator moved a lead to the email, or gave it free access, while our request
 * to unsubscribe it was under way. That act could not undo the unsubscription yet (rule 3.7h).
 */
async function isGivenBack(trx: Database, emailNormalised: string): Promise<boolean> {
  const rows = await query(
    trx,
    `select from people where email_normalised = :emailNormalised and tier = 'premium'
     union all
     select from leads join former_emails on lead_id = leads.id
     where leads.email_normalised = :emailNormalised
     limit 1`,
    { emailNormalised },
  );
  return rows.length > 0;
}

/**
 * Ends a check unless an event has arrived since its request. A status that may soon change is
 * checked again when it is twice as old, for two days. After an event, an unchanged status is
 * checked again once after five minutes. Compares the newest answer with a confirmed premium tier:
 * an absent person does not receive from then on; somebody who is back, or has another tier at
 * Beehiiv, is set to premium again.
 */
const FINISH_CHECK = `
  update people set
    check_due_at = case
      when heard_at > :askedAt then check_due_at
      else least(
        case when may_soon_change(status) and status_since > sync_now() - interval '2 days'
          then sync_now() + greatest(interval '5 minutes', sync_now() - status_since)
        end,
        case when status_since is distinct from :askedAt
          and heard_at > :askedAt::timestamptz - interval '5 minutes'
          then :askedAt::timestamptz + interval '5 minutes'
        end
      )
    end,
    not_receiving_since = case
      when is_wrong and status is null then coalesce(not_receiving_since, :askedAt)
      else not_receiving_since
    end,
    tier_version = tier_version + (is_wrong and status is not null)::int
  from (
    select coalesce(
      learned_at = :askedAt and coalesce(tier_confirmed_at < :askedAt, true)
        and tier = 'premium' and tier_confirmed_version = tier_version
        and (status is null or not_receiving_since is not null or :tier <> 'premium'),
      false
    ) as is_wrong
    from people where email_normalised = :emailNormalised
  ) compared
  where email_normalised = :emailNormalised`;
