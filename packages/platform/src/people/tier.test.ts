import {
  countLockWaits,
  openTransaction,
  storeLead,
  storePerson,
  wantTier,
} from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { expect } from 'vitest';
import { lockPeople } from './person.ts';

test('a payment waits for the outcome of its email’s lead', async ({ db }) => {
  const { email } = await storeLead(db, { urgency: 'new' });
  await storePerson(db, {
    emailNormalised: email,
    tier: 'premium',
    tierConfirmedVersion: 1,
  });
  const outcome = await openTransaction(db);
  await lockPeople(outcome, [email]);

  const payment = db.transaction((trx) => wantTier(trx, email, 'premium', { isPayment: true }));
  await expect.poll(() => countLockWaits(db)).toBe(1);
  await outcome('people').where({ emailNormalised: email }).update({ tierVersion: 2 });
  await outcome.commit();
  await payment;

  expect(await db('leads').first('urgency')).toEqual({ urgency: 'priority' });
});
