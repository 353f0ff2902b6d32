import { storeLead, storeSubscriber } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { expect } from 'vitest';

const email = 'ada@reader.example';

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
