import { advanceSyncClock, correctLead, storeLead, wantTier } from '@site/testing/builders';
import { test as base } from '@site/testing/fixtures';
import type { Database } from '@site/platform/database/connect';
import { createLogger } from '@site/platform/process/logger';
import { claimLead } from '@site/platform/outbox/claim';
import { undoOwnUnsubscription } from '@site/platform/people/tier';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createScriptedNewsletter } from '../testing/scripted-newsletter.ts';
import type { Script } from '../testing/scripted-newsletter.ts';
import { eraseDue, unsubscribeDue } from './removal-requests.ts';

const never = new AbortController().signal;
const email = 'subscriber@reader.example';
const MISTYPED = 'ada@raeder.example';
const AN_HOUR = 3_600;

async function ask(db: Database): Promise<void> {
  await db('removal_requests').insert({
    kind: 'erasure',
    id: randomUUID(),
    emailNormalised: email,
    requestedBy: 'j.holt',
    erased: '{}',
  });
}

const wrongPublication = {
  class: 'configuration',
  reason: 'publication-unknown',
  httpStatus: 404,
  message: 'Beehiiv answered 404',
  response: '404',
  requestId: null,
  isOutcomeKnown: true,
  page: null,
} as const;

/** A rate limiter that gives a slot when the test calls `open`. */
function createBlockedRateLimiter() {
  let open: () => void = () => undefined;
  let arrive: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const waitForSlot = async () => {
    arrive();
    await opened;
    return true;
  };
  return { rateLimiter: { waitForSlot }, open, arrived };
}

async function subscribe(
  db: Database,
  subscriber: string,
  hooks: Parameters<typeof createScriptedNewsletter>[0] = {},
) {
  const scripted = createScriptedNewsletter(hooks);
  await scripted.port.add({
    email: subscriber,
    fields: {},
    utm: {},
    sendWelcomeEmail: false,
    doubleOptIn: 'not_set',
    automationIds: [],
    automationSetting: 'BEEHIIV_AUTOMATIONS_PRE_BUY',
  });
  const deps = {
    db,
    newsletter: scripted.port,
    fieldCatalog: { keepKnown: (fields: Record<string, string>) => fields },
    rateLimiter: { waitForSlot: () => Promise.resolve(true) },
    newId: randomUUID,
    backoffBaseMs: 1_000,
    random: () => 0.5,
    log: createLogger({ service: 'worker', level: 'silent' }),
  };
  return { scripted, deps };
}

async function setUp(db: Database) {
  const { scripted, deps } = await subscribe(db, email);
  const { port, subscribers } = scripted;
  const run = (given: Partial<typeof deps> = {}) => eraseDue({ ...deps, ...given }, never);
  return { port, subscribers, play: (next: Script[]) => scripted.play(next), run };
}

/** A due request to unsubscribe the mistyped email. */
const test = base.extend('unsubscribe', async ({ db }) => {
  let meanwhile = () => Promise.resolve();
  const { scripted, deps } = await subscribe(db, MISTYPED, { whileFrozen: () => meanwhile() });
  await db('removal_requests').insert({
    kind: 'unsubscribe',
    id: randomUUID(),
    emailNormalised: MISTYPED,
    requestedBy: 'j.holt',
  });
  const statusOf = async (of: string) => (await scripted.port.find(of)).subscriber?.status ?? null;
  /** Calls `act` after Beehiiv has unsubscribed the email, and before we know. */
  const runWhile = async (act: () => Promise<void>) => {
    meanwhile = act;
    scripted.play(['ok', 'frozen']);
    await unsubscribeDue(deps, never);
  };
  return { newsletter: scripted, statusOf, run: () => unsubscribeDue(deps, never), runWhile };
});

test('an erasure deletes the subscriber, and an hour later the email', async ({ db }) => {
  const { subscribers, run } = await setUp(db);
  await ask(db);

  await run();

  expect(subscribers.size).toBe(0);
  expect(await db('removal_requests').first()).toMatchObject({
    emailNormalised: email,
    doneAt: null,
    attempts: 1,
  });
  await advanceSyncClock(db, AN_HOUR);
  await run();

  expect(await db('removal_requests').first()).toMatchObject({
    emailNormalised: null,
    doneAt: expect.any(Date),
    attempts: 2,
  });
  expect(await db('email_leases').select()).toEqual([]);
});

test('an erasure deletes a subscriber whom a late request has added again', async ({ db }) => {
  const { port, subscribers, run } = await setUp(db);
  const [subscriber] = subscribers.values();
  await ask(db);
  await run();
  await port.add(subscriber!);

  await advanceSyncClock(db, AN_HOUR);
  await run();

  expect(subscribers.size).toBe(0);
});

test('an erasure leaves somebody alone who has submitted a form since', async ({ db }) => {
  const { port, subscribers, run } = await setUp(db);
  const [subscriber] = subscribers.values();
  await ask(db);
  await run();
  await storeLead(db, { email });
  expect(await claimLead(db, { attemptId: randomUUID(), worker: 'w' })).not.toBeNull();
  await port.add(subscriber!);

  await advanceSyncClock(db, AN_HOUR);
  await run();

  expect(subscribers.size).toBe(1);
  expect(await db('removal_requests').first()).toMatchObject({
    emailNormalised: null,
    doneAt: expect.any(Date),
  });
});

test('an erasure deletes the differences of the email', async ({ db }) => {
  const { run } = await setUp(db);
  await ask(db);
  await run();
  await db('differences').insert({ kind: 'unknown-here', emailNormalised: email });

  await advanceSyncClock(db, AN_HOUR);
  await run();

  expect(await db('differences')).toEqual([]);
});

test('an erasure is retried after any answer until it succeeds', async ({ db }) => {
  const { subscribers, run, play } = await setUp(db);
  await ask(db);

  play(['failure-before']);
  await run();
  expect(await db('removal_requests').first()).toMatchObject({
    emailNormalised: email,
    attempts: 1,
    doneAt: null,
  });
  play(['ok', 'refused']);
  await advanceSyncClock(db, 3_600);
  await run();
  expect(await db('removal_requests').first()).toMatchObject({ attempts: 2, doneAt: null });
  await advanceSyncClock(db, 7_200);
  await run();

  expect(subscribers.size).toBe(0);
  expect(await db('removal_requests').first()).toMatchObject({
    attempts: 3,
    deletedAt: expect.any(Date),
  });
});

test('an erasure does not trust an absence at a wrong publication', async ({ db }) => {
  const { port, subscribers, run } = await setUp(db);
  const there = new Map(subscribers);
  subscribers.clear();
  await ask(db);

  await run({ newsletter: { ...port, listFields: () => Promise.resolve(wrongPublication) } });
  const during = await db('removal_requests').first();
  for (const [address, subscriber] of there) subscribers.set(address, subscriber);
  await advanceSyncClock(db, 3_600);
  await run();

  expect(during).toMatchObject({ emailNormalised: email, doneAt: null, attempts: 1 });
  expect(subscribers.size).toBe(0);
});

test('an erasure deletes nothing if it lost its lease while it waited for a slot', async ({
  db,
}) => {
  const { port, subscribers, run } = await setUp(db);
  const [subscriber] = subscribers.values();
  const { rateLimiter, open, arrived } = createBlockedRateLimiter();
  await ask(db);

  const slow = run({ rateLimiter });
  await arrived;
  await advanceSyncClock(db, 46);
  await run();
  expect(subscribers.size).toBe(0);
  await port.add(subscriber!);
  open();
  await slow;

  expect(subscribers.size).toBe(1);
});

test('an erasure waits for another run of the same email', async ({ db }) => {
  const { subscribers, run } = await setUp(db);
  await storeLead(db, { email });
  expect(await claimLead(db, { attemptId: randomUUID(), worker: 'w' })).not.toBeNull();
  await db('leads').delete();
  await ask(db);

  await run();
  expect(subscribers.size).toBe(1);
  await advanceSyncClock(db, 46);
  await run();

  expect(subscribers.size).toBe(0);
});

test('an erasure holds back new leads of the email, and pauses with the sync', async ({ db }) => {
  const { subscribers, run } = await setUp(db);
  await ask(db);
  await storeLead(db, { email });
  const claim = () => claimLead(db, { attemptId: randomUUID(), worker: 'w' });
  await db('sync_health').update({
    pausedSince: new Date(),
    pauseReason: 'r',
    pauseSetting: 's',
    nextProbeAt: new Date(),
  });

  await run();
  expect(subscribers.size).toBe(1);
  await db('sync_health').update({
    pausedSince: null,
    pauseReason: null,
    pauseSetting: null,
    nextProbeAt: null,
  });
  expect(await claim()).toBeNull();
  await run();

  expect(await claim()).not.toBeNull();
});

test('an unsubscribe request unsubscribes the email, then forgets it', async ({
  db,
  unsubscribe,
}) => {
  const subscriber = unsubscribe.newsletter.subscribers.get(MISTYPED)!;
  unsubscribe.newsletter.subscribers.set(MISTYPED, {
    ...subscriber,
    fields: { full_name: 'Ada', other: 'stays' },
  });
  await unsubscribe.run();
  const { requests } = unsubscribe.newsletter.seen;
  await unsubscribe.run();

  expect(await unsubscribe.statusOf(MISTYPED)).toBe('inactive');
  expect(unsubscribe.newsletter.subscribers.get(MISTYPED)?.fields).toEqual({ other: 'stays' });
  expect(await db('people')).toMatchObject([
    {
      emailNormalised: MISTYPED,
      name: null,
      state: null,
      status: 'inactive',
      unsubscribedByUsAt: expect.any(Date),
    },
  ]);
  expect(await db('removal_requests')).toMatchObject([
    { emailNormalised: null, doneAt: expect.any(Date) },
  ]);
  expect(await db('email_leases')).toEqual([]);
  expect(unsubscribe.newsletter.seen.requests).toBe(requests + 1);
});

test('an unsubscribe request is repeated until Beehiiv carries it out', async ({
  db,
  unsubscribe,
}) => {
  unsubscribe.newsletter.play(['failure-before', 'ok', 'failure-before']);
  await unsubscribe.run();
  await advanceSyncClock(db, 60);
  await unsubscribe.run();
  const before = await unsubscribe.statusOf(MISTYPED);
  await advanceSyncClock(db, 120);
  await unsubscribe.run();

  expect(before).toBe('active');
  expect(await unsubscribe.statusOf(MISTYPED)).toBe('inactive');
  expect(await db('removal_requests')).toMatchObject([{ attempts: 3, doneAt: expect.any(Date) }]);
});

test('an unsubscribe request leaves an email alone that is in use by now', async ({
  db,
  unsubscribe,
}) => {
  await storeLead(db, { email: MISTYPED });

  await unsubscribe.run();

  expect(await unsubscribe.statusOf(MISTYPED)).toBe('active');
  expect(await db('removal_requests')).toMatchObject([
    { emailNormalised: null, lastMessage: 'Somebody else uses this email' },
  ]);
});

test('an unsubscription is undone for a reader who was given free access during it', async ({
  db,
  unsubscribe,
}) => {
  await unsubscribe.runWhile(async () => {
    await storeLead(db, { email: MISTYPED, consentMarketing: false });
    await wantTier(db, MISTYPED, 'premium');
    await undoOwnUnsubscription(db, MISTYPED);
  });

  expect(await db('people')).toMatchObject([
    { status: 'inactive', unsubscribedByUsAt: expect.any(Date), mustActivate: true },
  ]);
});

test('an unsubscription is undone for a lead that was corrected back during it', async ({
  db,
  unsubscribe,
}) => {
  const lead = await storeLead(db, { email: MISTYPED, consentMarketing: false });
  await correctLead(db, lead, email);

  await unsubscribe.runWhile(async () => {
    await correctLead(db, lead, MISTYPED);
    await undoOwnUnsubscription(db, MISTYPED);
  });

  expect(await db('people').where({ emailNormalised: MISTYPED })).toMatchObject([
    { status: 'inactive', unsubscribedByUsAt: expect.any(Date), mustActivate: true },
  ]);
});

test('an unsubscription is not undone for somebody who submits a form during it', async ({
  db,
  unsubscribe,
}) => {
  await unsubscribe.runWhile(async () => {
    await storeLead(db, { email: MISTYPED });
  });

  expect(await db('people')).toMatchObject([
    { status: 'inactive', unsubscribedByUsAt: expect.any(Date), mustActivate: false },
  ]);
});

test('an unsubscribe request is done for an email Beehiiv does not have', async ({
  db,
  unsubscribe,
}) => {
  unsubscribe.newsletter.subscribers.clear();
  unsubscribe.newsletter.play(['ok']);
  await unsubscribe.run();

  expect(await db('removal_requests')).toMatchObject([{ doneAt: expect.any(Date) }]);
});
