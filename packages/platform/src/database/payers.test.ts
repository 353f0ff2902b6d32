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

test('a subscription has the source of its lead, whenever it is linked or learned, and loses it with the lead', async ({
  db,
}) => {
  const sourceOf = (id: string) => db('subscriptions').where({ id }).first('visitUtmSource', 'referrer', 'utmSource');
  const referrer = 'https://partner.example/letters/ada?to=ada';
  const lead = await storeLead(db, { visitUtmSource: 'google', utmSource: 'nav_sub', referrer });
  const known = { visitUtmSource: 'google', utmSource: 'nav_sub', referrer: 'https://partner.example' };
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

test('a tier has the status of its subscriber, whichever is stored first, and is not touched by it', async ({ db }) => {
  const lead = await storeLead(db, { email, beehiivStatus: 'sent', nextAttemptAt: null });
  const readTier = () => db('subscriber_tiers').first('subscriberStatus', 'updatedAt');
  const updatedAt = new Date(Date.now() - 3_600_000);
  await storeSubscriber(db, lead);
  await db('subscriber_tiers').insert({ emailNormalised: email, wanted: 'premium', updatedAt });
  const told = [await readTier()];
  await db('subscribers').update({ status: 'inactive' });
  told.push(await readTier());
  await db('subscribers').delete();
  told.push(await readTier());
  await storeSubscriber(db, lead, { status: 'pending' });
  told.push(await readTier());

  expect(told).toEqual(
    ['active', 'inactive', null, 'pending'].map((subscriberStatus) => ({ subscriberStatus, updatedAt })),
  );
  await db('subscriber_tiers').update({ attempts: 1 });
  expect((await readTier()).updatedAt).not.toEqual(updatedAt);
});
