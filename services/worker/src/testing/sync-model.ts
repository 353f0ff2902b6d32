import { requestRemoval, storeLead, wantTier } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { LeadRow } from '@site/platform/database/tables';
import { createLogger } from '@site/platform/process/logger';
import { claimLead } from '@site/platform/outbox/claim';
import type { Choice } from '@site/platform/outbox/claim';
import { moveLeads, passOnUnknown } from '@site/platform/outbox/correction';
import { retryLeads, stepBulkRetry } from '@site/platform/outbox/retry';
import { lockPeople } from '@site/platform/people/person';
import { recordBeehiivEvent } from '@site/platform/people/subscribers';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { undoOwnUnsubscription } from '@site/platform/people/tier';
import type { Queue } from 'bullmq';
import { randomUUID } from 'node:crypto';
import type { NewSubscriber } from '../newsletter/newsletter.port.ts';
import { createRateLimiter, pauseSlots, slotSpacingMs } from '../newsletter/rate-limiter.ts';
import { probe } from '../sync/probe.ts';
import { sweepOnce } from '../sync/sweep.ts';
import { processLead } from '../sync/sync.processor.ts';
import type { RunResult, SyncDeps } from '../sync/sync.processor.ts';
import { servePeople } from '../person/person.processor.ts';
import { createFailingDatabase } from './failing-database.ts';
import { createScriptedNewsletter, Crash } from './scripted-newsletter.ts';
import { emailOf, FAILING } from './sync-model.steps.ts';
import type { Step } from './sync-model.steps.ts';
import { buildSyncDeps, DELIVERY } from './sync-deps.ts';

/*
 * The sync as a model: events that may happen in any order, and invariants that must hold.
 * Postgres, queue, rate limiter, processor, sweep, probe, tiers and erasures are real. The
 * newsletter and the time are scripted.
 */

/** The addition that an erasure must delete, and whether the person has submitted since. */
type Erased = { addition: number | undefined; hasReturned: boolean };
type World = { db: Database; queue: Queue; syncQueue: SyncQueue };

const silent = createLogger({ service: 'model', level: 'silent' });
const PER_MINUTE = 150;
const LEASE_IS_OVER_S = 46;

/**
 * Plays the steps on an empty system and checks the invariants after each. Then lets all requests
 * succeed, and checks that every lead is settled. Without `hasGoodLeads`, people whose requests
 * always fail wait alone.
 */
export async function playAndCheck(
  { db, queue, syncQueue }: World,
  toPlay: Step[],
  hasGoodLeads: boolean,
): Promise<void> {
  await reset(db, queue);
  let elapsedSeconds = 0;
  let stopping = new AbortController();
  let isStopping = false;
  const setClock = () => db('model_clock').update({ seconds: elapsedSeconds });
  let latestSeconds = 0;
  const pass = async (seconds: number) => {
    elapsedSeconds += seconds;
    latestSeconds = Math.max(latestSeconds, elapsedSeconds);
    await setClock();
  };
  const newsletter = createScriptedNewsletter({
    beforeRequest: (email) => expectLeased(db, email),
    // Another process serves the email meanwhile.
    async whileFrozen() {
      await pass(LEASE_IS_OVER_S);
      await run('urgent');
    },
    onTooMany: () => pauseSlots(db, 60_000),
  });
  for (const person of FAILING) newsletter.failAlways(emailOf(person));
  const failing = createFailingDatabase(db);
  const deps: SyncDeps = buildSyncDeps(failing.db, {
    rateLimiter: createRateLimiter(db, PER_MINUTE, async (ms, signal) => {
      if (isStopping) stopping.abort();
      signal.throwIfAborted();
      await pass(Math.ceil(ms / 1_000));
    }),
    newsletter: newsletter.port,
    delivery: { ...DELIVERY, sendWelcomeEmail: true },
    log: silent,
  });
  const leads = new Set<string>();
  const everSent = new Set<string>();
  const erased = new Map<string, Erased>();
  const submittedAgain = (email: string) => {
    const before = erased.get(email);
    if (before) before.hasReturned = true;
  };

  /** Works until a crash, a stop or a failing database ends it, like a process. */
  async function survive<Result>(work: () => Promise<Result>): Promise<Result | null> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Crash) && !stopping.signal.aborted && !failing.isFailure(error))
        throw error;
      return null;
    }
  }
  const run = (choice: Choice): Promise<RunResult | null> =>
    survive(() => processLead(deps, choice, stopping.signal));
  const drain = async () => {
    const jobs = await queue.getWaitingCount();
    for (let n = 0; n < jobs; n++) await run(n % 4 === 3 ? 'retry' : 'urgent');
    await queue.drain();
  };
  const sweep = async () => {
    await survive(() => probe({ ...deps, runProbe: () => run('probe') }, stopping.signal));
    await sweepOnce({ db, syncQueue });
    await drain();
    for (const urgency of ['lead', 'background'] as const)
      await survive(() => servePeople(deps, urgency, stopping.signal));
  };
  const pick = (n: number) => [...leads][n % Math.max(1, leads.size)];
  const intake = async (email: string, isQueued: boolean) => {
    const consentTimestamp = new Date(Date.now() + elapsedSeconds * 1_000);
    const { id } = await storeLead(db, { email, consentTimestamp, nextAttemptAt: new Date(0) });
    leads.add(id);
    submittedAgain(email);
    if (isQueued) await syncQueue.wake(1);
  };

  const play = async (step: Step): Promise<void> => {
    switch (step.do) {
      case 'intake':
        return intake(emailOf(step.person), step.isQueued);
      case 'run':
        newsletter.play(step.script);
        failing.failAfter(step.failsAfter);
        await run(step.choice);
        return failing.failAfter(null);
      case 'two runs at once':
        newsletter.play(step.script);
        await Promise.all(step.choices.map(run));
        return;
      case 'run while the worker stops':
        isStopping = true;
        await run('urgent');
        isStopping = false;
        stopping = new AbortController();
        return;
      case 'sweep':
        newsletter.play(step.script);
        await expectOrder(db, step.prefersRetries);
        return sweep();
      case 'the key is':
        return newsletter.refuseKey(step.isRefused);
      case 'redis loses its data':
        return queue.obliterate({ force: true });
      case 'operator retries': {
        const id = pick(step.lead);
        if (id !== undefined) await retryLeads(db, [id]);
        return;
      }
      case 'bulk retry':
        await (step.isStopped ? stopBulkRetry(db) : startBulkRetry(db));
        return void (await stepBulkRetry(db));
      case 'operator corrects': {
        const id = pick(step.lead);
        if (id === undefined || !(await correct(db, id, emailOf(step.person)))) return;
        everSent.delete(id);
        submittedAgain(emailOf(step.person));
        return;
      }
      case 'is erased': {
        const email = emailOf(step.person);
        for (const id of await erase(db, email)) {
          leads.delete(id);
          everSent.delete(id);
        }
        erased.set(email, { addition: newsletter.findAddition(email), hasReturned: false });
        return;
      }
      case 'leaves':
        if (newsletter.subscribers.has(emailOf(step.person)))
          newsletter.unsubscribe(emailOf(step.person));
        return;
      case 'pays':
        return wantTier(db, emailOf(step.person), step.isPaying ? 'premium' : 'free', step);
      case 'a repeat consents':
        await db('leads')
          .where({ id: pick(step.lead) ?? null, beehiivStatus: 'sent' })
          .update({ consentDueAt: db.raw('sync_now()') });
        return;
      case 'operator asks for a remedy':
        await query(
          db,
          `insert into differences (kind, email_normalised, lead_id, remedy, requested_at)
             select 'missing-there', email_normalised, id, :remedy, sync_now() from leads
             where id = :id and beehiiv_status = 'sent'`,
          { id: pick(step.lead) ?? null, remedy: step.remedy },
        );
        return;
      case 'an event comes':
        await recordBeehiivEvent(db, emailOf(step.person));
        return;
      case 'time passes':
        return pass(step.seconds);
    }
  };

  for (const step of toPlay) {
    await play(step);
    await checkInvariants({
      db,
      leads,
      everSent,
      newsletter,
      isClockBehind: elapsedSeconds < latestSeconds,
    });
  }

  newsletter.play([]);
  newsletter.refuseKey(false);
  const isAlwaysFailing = (email: string) => FAILING.map(emailOf).includes(email);
  const listPending = () =>
    db<LeadRow>('leads').where({ beehiivStatus: 'pending' }).select('emailNormalised');
  // A lead whose email is being erased waits until the newsletter answers about that email.
  const listErasing = (): Promise<string[]> => db('erasing').pluck('email_normalised');
  for (let turn = 0; turn < 40 && (await listPending()).length > 0; turn++) {
    await pass(25_000);
    // An accepted person shows that the other failures are not everybody's.
    if (hasGoodLeads) await intake(`turn${turn}@reader.example`, true);
    await sweep();
    await sweep();
    await checkInvariants({
      db,
      leads,
      everSent,
      newsletter,
      isClockBehind: elapsedSeconds < latestSeconds,
    });
    const others = (await listPending()).filter(
      ({ emailNormalised }) => !isAlwaysFailing(emailNormalised),
    );
    if (!hasGoodLeads && others.length === 0) break;
    if (turn >= (hasGoodLeads ? 2 : 20))
      expectTrue(others.length === 0, 'nobody waits behind those who always fail');
  }
  const waiting = await listPending();
  const erasing = await listErasing();
  if (hasGoodLeads)
    expectTrue(
      waiting.every((lead) => erasing.includes(lead.emailNormalised)),
      'every lead is settled once the newsletter works',
    );
  else
    expectTrue(
      waiting.every((lead) => isAlwaysFailing(lead.emailNormalised)),
      'a site without good leads sends the rest',
    );
  // The erasure of a mistyped email waits until the newsletter answers about it.
  newsletter.failNoLonger();
  // Erasures look again after an hour, and tiers follow.
  for (let turn = 0; turn < 3; turn++) {
    await pass(25_000);
    await sweep();
  }
  for (const [email, { addition, hasReturned }] of erased) {
    const now = newsletter.findAddition(email);
    expectTrue(
      now === undefined || (hasReturned && now !== addition),
      'an erased person is gone at the newsletter until they submit again',
    );
  }
  expectTrue(
    (await db('removal_requests').whereNotNull('emailNormalised')).length === 0,
    'every erasure ends',
  );
  await checkPeople(db, newsletter, async () => {
    // A remedy may make a tier due.
    for (let turn = 0; turn < 2; turn++) {
      await pass(25_000);
      await sweep();
    }
  });
  if (hasGoodLeads) {
    expectTrue((await listPending()).length === 0, 'a lead of an erased email is sent afterwards');
    await stepBulkRetry(db);
    const open = await db('bulk_retries').whereNull('finishedAt').orWhere('waiting', '>', 0);
    expectTrue(open.length === 0, 'every bulk retry ends, and counts each of its leads');
    // A dead run leaves its attempt open until its email's next run, and a former email may have
    // none.
    const left = db('lead_sync_attempts')
      .join('leads', 'leads.id', 'lead_id')
      .whereRaw('lead_sync_attempts.email_normalised = leads.email_normalised')
      .whereIn('kind', ['push', 'probe']);
    expectTrue((await left.first()) === undefined, 'no attempt is left open');
  }
}

/** Starts a bulk retry of all failed leads, as the API does, unless one is open. */
async function startBulkRetry(db: Database): Promise<void> {
  await query(
    db,
    `with run as (
       insert into bulk_retries (id, operator, filter, total, waiting)
       select :id, 'model', '{}', count(*), count(*) from leads where beehiiv_status = 'failed'
       having count(*) > 0
       on conflict do nothing
       returning id
     )
     insert into bulk_retry_leads (bulk_retry_id, lead_id)
     select run.id, leads.id from run, leads where beehiiv_status = 'failed'`,
    { id: randomUUID() },
  );
}

const stopBulkRetry = (db: Database) =>
  db('bulk_retries')
    .whereNull('finishedAt')
    .update({ stoppedAt: db.raw('sync_now()') });

/** Checks that no wish is left, and that each kind of wish has its effect at Beehiiv. */
async function checkPeople(
  db: Database,
  newsletter: ReturnType<typeof createScriptedNewsletter>,
  settle: () => Promise<void>,
): Promise<void> {
  const sent = await db<LeadRow>('leads')
    .where({ beehiivStatus: 'sent' })
    .distinctOn('emailNormalised')
    .select('emailNormalised', 'id');
  const { subscribers } = newsletter;
  const emails = sent.map(({ emailNormalised }) => emailNormalised);
  const expectNoWish = async () => {
    const due = await db('wishes').whereRaw('due_at <= sync_now()').pluck('kind');
    expectTrue(due.length === 0, `no wish is left: ${due.join()}`);
  };
  const expectThere = (status: string | undefined, tier?: string) => {
    for (const subscriber of emails.map((email) => newsletter.look(email)))
      expectTrue(
        subscriber?.status === status && (tier === undefined || subscriber?.tier === tier),
        `each reader becomes ${status} and ${tier} at Beehiiv`,
      );
  };
  const want = async (tier: 'premium' | 'free', given: { isPayment?: boolean } = {}) => {
    for (const email of emails) await wantTier(db, email, tier, given);
    await settle();
  };
  const askFor = async (remedy: 'add-again' | 'set-premium' | 'set-free') => {
    for (const { emailNormalised, id: leadId } of sent)
      await db('differences').insert({
        kind: 'missing-there',
        emailNormalised,
        leadId,
        remedy,
        requestedAt: new Date(0),
      });
    await settle();
  };
  const remove = async (kind: 'erasure' | 'unsubscribe', besides: string[] = []) => {
    for (const emailNormalised of [...emails, ...besides])
      await requestRemoval(db, kind, emailNormalised);
    await settle();
  };
  await expectNoWish();
  for (const email of emails) {
    newsletter.unsubscribe(email);
    await recordBeehiivEvent(db, email);
  }
  await settle();
  const learned = await db('people').whereIn('emailNormalised', emails).distinct().pluck('status');
  expectTrue(
    learned.every((status) => status === 'inactive'),
    'a check learns who has left',
  );
  await want('free');
  await want('premium', { isPayment: true });
  expectThere('active', 'premium');
  await want('free');
  for (const email of emails) newsletter.unconfirm(email);
  await db('people').whereIn('emailNormalised', emails).update({ mustConfirm: true });
  await want('premium');
  expectThere('pending', 'premium');
  await want('free');
  await db('people').update({ mustConfirm: false });
  await want('premium');
  const typo = 'typo@reader.example';
  subscribers.set(typo, { email: typo, fields: {} } as NewSubscriber);
  await remove('unsubscribe', [typo]);
  expectTrue(newsletter.look(typo)?.status === 'inactive', 'an unused email is unsubscribed');
  expectThere('active', 'premium');
  for (const email of emails) newsletter.forget(email);
  await askFor('add-again');
  expectThere('active', 'premium');
  await askFor('set-free');
  expectThere('active', 'premium');
  for (const email of emails) newsletter.tiers.delete(email);
  await askFor('set-premium');
  expectThere('active', 'premium');
  for (const email of emails) newsletter.unsubscribe(email);
  await want('free');
  await want('premium');
  expectThere('inactive', 'premium');
  for (const email of emails)
    subscribers.set(email, { ...(subscribers.get(email) as NewSubscriber), fields: {} });
  await db('leads')
    .whereIn('emailNormalised', emails)
    .update({ consentDueAt: new Date(0) });
  await settle();
  for (const email of emails)
    expectTrue('lead_id' in subscribers.get(email)!.fields, 'a later consent reaches Beehiiv');
  await remove('erasure');
  expectThere(undefined);
  await settle();
  await expectNoWish();
}

/** Corrects a lead's email, as the API does. Returns false if there is nothing to correct. */
async function correct(db: Database, leadId: string, email: string): Promise<boolean> {
  return db.transaction(async (trx) => {
    const lead = await trx<LeadRow>('leads').where({ id: leadId }).first();
    if (!lead || lead.emailNormalised === email) return false;
    await lockPeople(trx, [lead.email, email]);
    await moveLeads(trx, { leadIds: [leadId], email, operator: 'model' });
    await query(
      trx,
      `insert into removal_requests (id, kind, email_normalised, lead_id, requested_by)
         select :id, 'unsubscribe', :former, :leadId, 'model'
         where not is_email_used(:former)
       on conflict (email_normalised) where kind = 'unsubscribe' and done_at is null do nothing`,
      { id: randomUUID(), former: lead.emailNormalised, leadId },
    );
    await undoOwnUnsubscription(trx, email);
    return true;
  });
}

/**
 * Erases a person, as the API does, with former emails that nobody else uses. Returns the leads'
 * ids.
 */
async function erase(db: Database, emailNormalised: string): Promise<string[]> {
  return db.transaction(async (trx) => {
    await lockPeople(trx, [emailNormalised]);
    const ids = await trx('leads').where({ emailNormalised }).pluck<string[]>('id');
    const others = await query<{ email: string }>(
      trx,
      `select distinct email_normalised as email from former_emails former
       where lead_id = any(:ids::uuid[]) and email_normalised <> :emailNormalised
         and not exists (select from leads where email_normalised = former.email_normalised)`,
      { ids, emailNormalised },
    );
    await passOnUnknown(trx, ids);
    await trx('leads').whereIn('id', ids).delete();
    await trx('people').where({ emailNormalised }).delete();
    for (const email of [emailNormalised, ...others.map((other) => other.email)])
      await requestErasure(trx, email);
    return ids;
  });
}

async function requestErasure(trx: Database, emailNormalised: string): Promise<void> {
  const isOpen = await trx('removal_requests')
    .where({ emailNormalised, kind: 'erasure' })
    .whereNull('doneAt')
    .first('id');
  if (isOpen) {
    await trx('removal_requests')
      .where({ id: isOpen.id })
      .update({ deletedAt: null, nextAttemptAt: trx.raw('sync_now()') });
  } else {
    await requestRemoval(trx, 'erasure', emailNormalised);
  }
}

/** Checks that only the run that leased a person's email sends requests about them. */
async function expectLeased(db: Database, email: string): Promise<void> {
  const [lease] = await db('email_leases')
    .where({ emailNormalised: email })
    .whereRaw('leased_until > sync_now()');
  expectTrue(lease !== undefined, 'each request has leased the email');
  const open = await db('lead_sync_attempts')
    .where({ id: lease.leasedBy })
    .whereNull('class')
    .first();
  const erasing = await db('removal_requests')
    .where({ emailNormalised: email })
    .whereNull('doneAt')
    .first();
  const checked = await db('people')
    .where({ emailNormalised: email })
    .whereRaw('check_due_at <= sync_now()')
    .first('email');
  expectTrue(
    (open ?? erasing ?? checked) !== undefined,
    'each request is on record before it leaves',
  );
}

type Due = { id: string; emailNormalised: string; list: number; at: number };

/** Compares the leads that runs would claim now with a simple sort of all leads. */
async function expectOrder(db: Database, prefersRetries: boolean): Promise<void> {
  const health = await queryOne<{
    isPausedBySetting: boolean;
    waitsForBeehiiv: boolean;
    isOpen: boolean;
  }>(
    db,
    `select paused_since is not null and refusal_streak < 20 as is_paused_by_setting,
       failure_streak >= 5 or refusal_streak >= 20 as waits_for_beehiiv,
       (select resumes_at <= sync_now() from rate_limiter) as is_open from sync_health`,
  );
  const lists = prefersRetries
    ? ['retry', 'waited', 'bulk waited', 'bulk', 'priority', 'new']
    : ['priority', 'new', 'retry', 'waited', 'bulk waited', 'bulk'];
  const rows = await query<Due & { urgency: string; isTimed: boolean }>(
    db,
    `select id, email_normalised, urgency, next_attempt_at is not null as is_timed,
       coalesce(extract(epoch from next_attempt_at)::float8, 'infinity') as at
     from free_leads
     where beehiiv_status = 'pending'
       and (next_attempt_at <= sync_now() or next_attempt_at is null)`,
  );
  const due = rows
    .filter(
      ({ isTimed }) =>
        !health.isPausedBySetting && health.isOpen && (isTimed || !health.waitsForBeehiiv),
    )
    .map((row) => {
      const waited = row.urgency === 'bulk' ? 'bulk waited' : 'waited';
      const isOfUrgency = row.urgency === 'priority' || row.isTimed;
      return { ...row, list: lists.indexOf(isOfUrgency ? row.urgency : waited) };
    })
    .toSorted((a, b) => a.list - b.list || a.at - b.at);
  const key = ({ list, at }: Due) => `${lists[list]} ${at}`;
  const expected: string[] = [];
  const served = new Set<string>();
  for (const lead of due) {
    if (served.has(lead.emailNormalised)) continue;
    served.add(lead.emailNormalised);
    expected.push(key(lead));
  }
  const order: string[] = [];
  const transaction = await db.transaction();
  while (order.length <= rows.length) {
    const choice = prefersRetries ? 'retry' : 'urgent';
    const claimed = await claimLead(transaction, {
      attemptId: randomUUID(),
      worker: 'model',
      choice,
    });
    if (!claimed) break;
    const lead = due.find(({ id }) => id === claimed.lead.id);
    order.push(lead ? key(lead) : 'not due');
  }
  await transaction.rollback();
  const told = `claims are in order: ${order.join(', ')} instead of ${expected.join(', ')}`;
  expectTrue(order.join() === expected.join(), told);
}

async function checkInvariants(world: {
  db: Database;
  leads: ReadonlySet<string>;
  everSent: Set<string>;
  newsletter: ReturnType<typeof createScriptedNewsletter>;
  isClockBehind: boolean;
}): Promise<void> {
  const { db, leads, everSent, newsletter, isClockBehind } = world;
  const rows = await db<LeadRow>('leads').select(
    'id',
    'beehiivStatus',
    'emailNormalised',
    'syncRound',
  );
  expectTrue(rows.length === leads.size, 'no lead is lost');
  const sentNow = new Set(rows.filter((row) => row.beehiivStatus === 'sent').map((row) => row.id));
  for (const id of everSent) expectTrue(sentNow.has(id), 'sent never leaves sent');
  for (const id of sentNow) everSent.add(id);
  for (const row of rows) {
    if (row.beehiivStatus === 'sent')
      expectTrue(newsletter.subscribers.has(row.emailNormalised), 'a sent lead has a subscriber');
  }
  expectTrue(newsletter.seen.repeatedAdds === 0, 'nobody is added twice');
  for (const email of newsletter.takeReactivated()) {
    const hasPaid = await db('people')
      .where({ emailNormalised: email })
      .whereNotNull('tier')
      .first('tier');
    const byForm = rows.some((row) => row.emailNormalised === email && row.syncRound === 1);
    const byCorrection = await db('former_emails')
      .whereIn('leadId', db('leads').where({ emailNormalised: email }).select('id'))
      .first('id');
    expectTrue(
      hasPaid !== undefined || byForm || byCorrection !== undefined,
      'only a payment, a form or a correction makes somebody active again, never a retry',
    );
  }
  const limiter = await queryOne<{ booked: number }>(
    db,
    'select extract(epoch from greatest(next_slot_at, sync_now()) - sync_now())::float8 * 1000 as booked from rate_limiter',
  );
  // After the clock stepped back, until the next request.
  expectTrue(
    isClockBehind || limiter.booked <= slotSpacingMs(PER_MINUTE),
    'no slot is booked ahead, even after a stop or a crash',
  );
  const counted = await db('lead_counts').sum<{ sum: string | null }[]>('leads');
  expectTrue(Number(counted[0]?.sum ?? 0) === leads.size, 'the counters agree with the leads');
}

function expectTrue(holds: boolean, invariant: string): void {
  if (!holds) throw new Error(`broken: ${invariant}`);
}

/** Makes the clock one row, which moves faster than a function. */
export async function prepareModel(db: Database): Promise<void> {
  await db.raw(`
    create table model_clock (seconds float8 not null);
    insert into model_clock values (0);
    create or replace function sync_now() returns timestamptz language sql stable as
      'select clock_timestamp() + make_interval(secs => (select seconds from model_clock))'`);
}

async function reset(db: Database, queue: Queue): Promise<void> {
  await queue.obliterate({ force: true });
  await query(db, 'truncate leads, email_leases, removal_requests, people, bulk_retries cascade');
  await query(
    db,
    `delete from sync_health; insert into sync_health default values;
     delete from rate_limiter; insert into rate_limiter default values; update model_clock set seconds = 0`,
  );
}
