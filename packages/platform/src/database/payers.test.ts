import { storeLead, storeSubscriber } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Database } from './connect.ts';

const email = 'ada@reader.example';

async function storeSubscription(db: Database, leadId: string | null): Promise<string> {
  const id = randomUUID();
  await db('subscriptions').insert({
    id,
    email,
    leadId,
    stripeSubscriptionId: `sub_${id}`,
    stripeCustomerId: 'cus_1',
    status: 'active',
    plan: 'monthly',
    amountPence: 23_900,
    snapshotAt: new Date(),
  });
  return id;
}

test('a subscription has its lead’s source for as long as it has the lead', async ({ db }) => {
  const sourceOf = (id: string) =>
    db('subscriptions').where({ id }).first('visitUtmSource', 'referrer', 'utmSource');
  const referrer = 'https://partner.example/letters/ada?to=ada';
  const lead = await storeLead(db, { visitUtmSource: 'google', utmSource: 'nav_sub', referrer });
  const known = {
    visitUtmSource: 'google',
    utmSource: 'nav_sub',
    referrer: 'https://partner.example',
  };
  const none = { visitUtmSource: null, utmSource: null, referrer: null };
  const linked = await storeSubscription(db, lead.id);
  const later = await storeSubscription(db, null);
  const other = await storeLead(db);
  const ofOther = await storeSubscription(db, other.id);
  const before = await Promise.all([linked, later, ofOther].map(sourceOf));

  await db('subscriptions').where({ id: later }).update({ leadId: lead.id });
  await db('leads').where({ id: other.id }).update({ utmSource: 'top_sub' });

  expect(before).toEqual([known, none, none]);
  expect(await Promise.all([linked, later, ofOther].map(sourceOf))).toEqual([
    known,
    known,
    { ...none, utmSource: 'top_sub' },
  ]);
  await db('leads').where({ id: lead.id }).delete();
  expect(await Promise.all([linked, later].map(sourceOf))).toEqual([none, none]);
});

test('a premium tier is in doubt until confirmed with an active subscriber', async ({ db }) => {
  const lead = await storeLead(db, { email, beehiivStatus: 'sent', nextAttemptAt: null });
  const updatedAt = new Date(Date.now() - 3_600_000);
  const tiers = () => db('subscriber_tiers');
  await tiers().insert({
    emailNormalised: email,
    wanted: 'premium',
    confirmedVersion: 1,
    updatedAt,
  });
  const found: [string, boolean][] = [];
  const note = async (what: string, change: Promise<unknown>) => {
    await change;
    found.push([what, (await tiers().first('isInDoubt')).isInDoubt]);
  };
  await note('unknown', Promise.resolve());
  await note('active', storeSubscriber(db, lead));
  await note('inactive', db('subscribers').update({ status: 'inactive' }));
  await note('active again', db('subscribers').update({ status: 'active' }));
  await note('deleted', db('subscribers').delete());
  await note('pending', storeSubscriber(db, lead, { status: 'pending' }));
  await note('confirmed', db('subscribers').update({ status: 'active' }));
  const before = (await tiers().first('updatedAt')).updatedAt;
  await note('another version', tiers().update({ version: 2 }));
  await note('its confirmation', tiers().update({ confirmedVersion: 2 }));
  await note('not known there', tiers().update({ notReceivingSince: new Date() }));
  await note('free', tiers().update({ wanted: 'free' }));

  expect(found).toEqual([
    ['unknown', true],
    ['active', false],
    ['inactive', true],
    ['active again', false],
    ['deleted', true],
    ['pending', true],
    ['confirmed', false],
    ['another version', true],
    ['its confirmation', false],
    ['not known there', true],
    ['free', false],
  ]);
  expect(before).toEqual(updatedAt);
  expect((await tiers().first('updatedAt')).updatedAt).not.toEqual(updatedAt);
});
