import { advanceSyncClock, storeLead } from '@site/testing/builders';
import { test as base } from '@site/testing/fixtures';
import { createLogger } from '@site/platform/process/logger';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createScriptedNewsletter } from '../testing/scripted-newsletter.ts';
import { unsubscribeDue } from './removal-requests.ts';

const email = 'ada@raeder.example';

const test = base.extend('setting', async ({ db }) => {
  const newsletter = createScriptedNewsletter();
  await newsletter.port.add({
    email,
    fields: {},
    utm: {},
    sendWelcomeEmail: false,
    doubleOptIn: 'not_set',
    automationIds: [],
    automationSetting: 'BEEHIIV_AUTOMATIONS_PRE_BUY',
  });
  const deps = {
    db,
    newsletter: newsletter.port,
    rateLimiter: { waitForSlot: () => Promise.resolve(true) },
    newId: randomUUID,
    backoffBaseMs: 1_000,
    random: () => 0.5,
    log: createLogger({ service: 'worker', level: 'silent' }),
  };
  await db('removal_requests').insert({
    kind: 'unsubscribe',
    id: randomUUID(),
    emailNormalised: email,
    requestedBy: 'j.holt',
  });
  const statusOf = async (address: string) =>
    (await newsletter.port.find(address)).subscriber?.status ?? null;
  return { newsletter, statusOf, run: () => unsubscribeDue(deps, new AbortController().signal) };
});

test('an unsubscribe request unsubscribes the email, then forgets it', async ({ db, setting }) => {
  const mistyped = await storeLead(db, {
    email,
    beehiivStatus: 'sent',
    subscriberStatus: 'active',
  });
  await storeLead(db, { email: 'ada@reader.example', correctedFrom: mistyped.id });
  await setting.run();
  const { requests } = setting.newsletter.seen;
  await setting.run();

  expect(await setting.statusOf(email)).toBe('inactive');
  expect(await db('leads').where({ email }).first()).toMatchObject({
    subscriberStatus: 'inactive',
  });
  expect(await db('removal_requests')).toMatchObject([
    { emailNormalised: null, doneAt: expect.any(Date) },
  ]);
  expect(await db('email_leases')).toEqual([]);
  expect(setting.newsletter.seen.requests).toBe(requests + 1);
});

test('an unsubscribe request is repeated until Beehiiv carries it out', async ({ db, setting }) => {
  setting.newsletter.play(['failure-before', 'ok', 'failure-before']);
  await setting.run();
  await advanceSyncClock(db, 60);
  await setting.run();
  const before = await setting.statusOf(email);
  await advanceSyncClock(db, 120);
  await setting.run();

  expect(before).toBe('active');
  expect(await setting.statusOf(email)).toBe('inactive');
  expect(await db('removal_requests')).toMatchObject([{ attempts: 3, doneAt: expect.any(Date) }]);
});

test('an unsubscribe request leaves an email alone that is in use by now', async ({
  db,
  setting,
}) => {
  await storeLead(db, { email });

  await setting.run();

  expect(await setting.statusOf(email)).toBe('active');
  expect(await db('removal_requests')).toMatchObject([
    { emailNormalised: null, lastMessage: 'Somebody else uses this email' },
  ]);
});

test('an unsubscribe request is done for an email Beehiiv does not have', async ({
  db,
  setting,
}) => {
  setting.newsletter.subscribers.clear();
  setting.newsletter.play(['ok']);
  await setting.run();

  expect(await db('removal_requests')).toMatchObject([{ doneAt: expect.any(Date) }]);
});
