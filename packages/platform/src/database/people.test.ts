import { storePerson } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { expect } from 'vitest';

const emailNormalised = 'ada@reader.example';

test('a payer is in doubt until premium is confirmed and they are active', async ({ db }) => {
  const person = () => db('people');
  await storePerson(db, { emailNormalised, liveSubscriptions: 1 });
  const found: [string, boolean][] = [];
  const note = async (what: string, change: Promise<unknown>) => {
    await change;
    found.push([what, (await person().first('inDoubt')).inDoubt]);
  };
  await note('without a tier', Promise.resolve());
  const premium = {
    wanted: 'premium',
    version: 1,
    tierSince: new Date(),
    nextAttemptAt: new Date(),
  };
  await note('unknown', person().update({ ...premium, confirmedVersion: 1 }));
  await note('active', person().update({ status: 'active' }));
  await note('inactive', person().update({ status: 'inactive' }));
  await note('active again', person().update({ status: 'active' }));
  await note('another version', person().update({ version: 2 }));
  await note('its confirmation', person().update({ confirmedVersion: 2 }));
  await note('not known there', person().update({ notReceivingSince: new Date() }));
  await note('pays no longer', person().update({ liveSubscriptions: 0 }));
  await note(
    'reads with somebody else',
    person().update({ withSubscription: 'sub_1', grantedBy: 'ana', grantedAt: new Date() }),
  );

  expect(found).toEqual([
    ['without a tier', true],
    ['unknown', true],
    ['active', false],
    ['inactive', true],
    ['active again', false],
    ['another version', true],
    ['its confirmation', false],
    ['not known there', true],
    ['pays no longer', false],
    ['reads with somebody else', true],
  ]);
});
