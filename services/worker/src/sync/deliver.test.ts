import { storeSubscription } from '@site/testing/money-builders';
import {
  advanceSyncClock,
  correctLead,
  storeLead,
  storeSubscriber,
  wantTier,
} from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import type { Database } from '@site/platform/database/connect';
import type { LeadRow } from '@site/platform/database/tables';
import { retryLeads } from '@site/platform/outbox/retry';
import { undoOwnUnsubscription } from '@site/platform/people/tier';
import { expect } from 'vitest';
import { createScriptedNewsletter } from '../testing/scripted-newsletter.ts';
import { processLead } from './sync.processor.ts';
import { buildSyncDeps, DELIVERY } from '../testing/sync-deps.ts';

const never = new AbortController().signal;
const email = 'ada@reader.example';
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

/** An unsubscribed person, and a run of the most urgent lead. */
function setUp(db: Database) {
  const scripted = createScriptedNewsletter();
  const requests: { reactivates: boolean; doubleOptIn: string }[] = [];
  const newsletter: typeof scripted.port = {
    ...scripted.port,
    add: (subscriber) => {
      requests.push({
        reactivates: subscriber.reactivate === true,
        doubleOptIn: subscriber.doubleOptIn,
      });
      return scripted.port.add(subscriber);
    },
  };
  const delivery = { ...DELIVERY, sendWelcomeEmail: true };
  const deps = buildSyncDeps(db, { newsletter, delivery });
  scripted.subscribers.set(email, {} as never);
  scripted.unsubscribe(email);
  return { scripted, requests, run: () => processLead(deps, 'urgent', never) };
}

const readLead = (db: Database, { id }: Pick<LeadRow, 'id'>) => db('leads').where({ id }).first();

test('an unsubscribed person who consents again is asked to confirm', async ({ db }) => {
  const { requests, run } = setUp(db);
  const lead = await storeLead(db, { email });

  await run();

  expect(requests).toEqual([
    { reactivates: false, doubleOptIn: 'not_set' },
    { reactivates: true, doubleOptIn: 'on' },
  ]);
  expect(await readLead(db, lead)).toMatchObject({
    beehiivStatus: 'sent',
    subscriberStatus: 'active',
  });
});

test('whom our own correction unsubscribed is active once they are corrected back', async ({
  db,
}) => {
  const { requests, run, scripted } = setUp(db);
  const lead = await storeLead(db, { email, submittedAt: hoursAgo(5) });
  await correctLead(db, lead, 'other@reader.example');
  await storeSubscriber(db, lead, { status: 'inactive', unsubscribedByUsAt: hoursAgo(1) });
  await correctLead(db, await readLead(db, lead), email);
  await undoOwnUnsubscription(db, email);

  await run();

  expect(requests.at(-1)).toEqual({ reactivates: true, doubleOptIn: 'off' });
  expect((await scripted.port.find(email)).subscriber?.status).toBe('active');
  expect(await db('people').where({ emailNormalised: email })).toMatchObject([
    { unsubscribedByUsAt: null, mustActivate: false },
  ]);
});

test('a later owner of an email that we unsubscribed is asked to confirm', async ({ db }) => {
  const { requests, run } = setUp(db);
  const mistyped = await storeLead(db, { email, submittedAt: hoursAgo(5) });
  await correctLead(db, mistyped, 'other@reader.example');
  await storeSubscriber(db, mistyped, { status: 'inactive', unsubscribedByUsAt: hoursAgo(1) });
  // They subscribed while the email was being unsubscribed.
  const consentTimestamp = hoursAgo(2);
  const lead = await storeLead(db, { email, submittedAt: consentTimestamp, consentTimestamp });
  await db('leads')
    .where({ id: mistyped.id })
    .update({ nextAttemptAt: new Date(Date.now() + 1e8) });

  await run();

  expect(requests.at(-1)).toEqual({ reactivates: true, doubleOptIn: 'on' });
  expect(await readLead(db, lead)).toMatchObject({ beehiivStatus: 'sent' });
});

test('a later owner of an email that we unsubscribed is asked even by a retry', async ({ db }) => {
  const { requests, run } = setUp(db);
  const mistyped = await storeLead(db, { email, submittedAt: hoursAgo(5) });
  await correctLead(db, mistyped, 'other@reader.example');
  await db('leads').where({ id: mistyped.id }).delete();
  const consentTimestamp = hoursAgo(2);
  const given = { email, submittedAt: consentTimestamp, consentTimestamp };
  const refused = await storeLead(db, { ...given, beehiivStatus: 'failed' });
  await storeLead(db, {
    ...given,
    consentMarketing: false,
    beehiivStatus: 'sent',
    beehiivSentAt: hoursAgo(1),
  });
  await storeSubscriber(db, refused, { status: 'inactive', unsubscribedByUsAt: hoursAgo(3) });
  await retryLeads(db, [refused.id]);

  await run();

  expect(requests.at(-1)).toEqual({ reactivates: true, doubleOptIn: 'on' });
  expect(await readLead(db, refused)).toMatchObject({ beehiivStatus: 'sent' });
});

test('an unsubscribed reader or payer confirms a new consent', async ({ db }) => {
  const { requests, run, scripted } = setUp(db);
  await storeLead(db, { email });
  await wantTier(db, email, 'premium');

  await run();
  scripted.unsubscribe(email);
  await storeSubscription(db, { email });
  await storeLead(db, { email });
  await run();

  expect(
    requests.filter(({ reactivates }) => reactivates).map(({ doubleOptIn }) => doubleOptIn),
  ).toEqual(['on', 'on']);
});

test('a lead with a payer’s email adds to the payer only what is empty', async ({ db }) => {
  const { scripted, run } = setUp(db);
  const own = await storeLead(db, {
    email,
    formType: 'pre_buy',
    fullName: 'Ada Own',
    company: 'Own Ltd',
    phone: null,
    consentTextVersion: 'own',
  });
  await run();
  await storeSubscription(db, { email, leadId: own.id });
  await storeLead(db, {
    email,
    formType: 'pre_sample',
    fullName: 'A Stranger',
    company: 'Stranger Ltd',
    phone: '1',
    consentTextVersion: 'theirs',
  });
  await run();

  expect(scripted.subscribers.get(email)?.fields).toMatchObject({
    full_name: 'Ada Own',
    company: 'Own Ltd',
    phone: '1',
    form_type: 'pre_buy',
    lead_id: own.id,
    consent_text_version: 'own',
  });
});

test('somebody who left after they gave the consent stays unsubscribed', async ({ db }) => {
  const { requests, run } = setUp(db);
  const lead = await storeLead(db, { email, consentTimestamp: hoursAgo(2) });
  await storeSubscriber(db, lead, { status: 'inactive', statusSince: hoursAgo(1) });

  await run();

  expect(requests).toEqual([]);
  expect(await readLead(db, lead)).toMatchObject({
    beehiivStatus: 'sent',
    subscriberStatus: 'inactive',
  });
});

test('somebody who consented after they left is resubscribed', async ({ db }) => {
  const { scripted, run } = setUp(db);
  const lead = await storeLead(db, { email, consentTimestamp: hoursAgo(1) });
  await storeSubscriber(db, lead, {
    status: 'inactive',
    statusSince: hoursAgo(2),
    learnedAt: new Date(),
  });

  await run();

  expect(scripted.seen.reactivated).toBe(1);
});

test('somebody who has unsubscribed stays so without a consent', async ({ db }) => {
  const { scripted, run } = setUp(db);
  const lead = await storeLead(db, { email, consentMarketing: false });

  await run();

  expect(scripted.seen.reactivated).toBe(0);
  expect(await readLead(db, lead)).toMatchObject({
    beehiivStatus: 'sent',
    subscriberStatus: 'inactive',
  });
});

test.for([
  ['although we never knew them', 1],
  ['although the clock has stepped back since their consent', -2],
] as const)(
  'somebody who has unsubscribed stays so when a lead is retried, %s',
  async ([, hours], { db }) => {
    const { scripted, run } = setUp(db);
    const consentTimestamp = hoursAgo(hours);
    const lead = await storeLead(db, {
      email,
      beehiivStatus: 'failed',
      nextAttemptAt: null,
      consentTimestamp,
    });
    await retryLeads(db, [lead.id]);
    await db('leads').update({ nextAttemptAt: new Date(0) });

    await run();

    expect(scripted.seen.reactivated).toBe(0);
    expect(await readLead(db, lead)).toMatchObject({
      beehiivStatus: 'sent',
      subscriberStatus: 'inactive',
    });
  },
);

test.for([
  ['not known', ['ok', 'ok', 'crash-after'] as const],
  ['known before', ['ok', 'crash-after'] as const],
] as const)(
  'somebody %s is resubscribed once, though the answer was lost and they left',
  async (given, { db }) => {
    const [known, script] = given;
    const { scripted, run } = setUp(db);
    const lead = await storeLead(db, { email });
    if (known === 'known before')
      await storeSubscriber(db, lead, { status: 'inactive', statusSince: hoursAgo(1) });
    scripted.play([...script]);
    await expect(run()).rejects.toThrow('crash-after');

    scripted.unsubscribe(email);
    await advanceSyncClock(db, 60);
    await run();

    expect(scripted.seen.reactivated).toBe(1);
    expect(await readLead(db, lead)).toMatchObject({
      beehiivStatus: 'sent',
      subscriberStatus: 'inactive',
    });
  },
);
