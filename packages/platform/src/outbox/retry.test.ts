import { listClaims, storeAttempts, storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { expect } from 'vitest';
import { passOnUnknown } from './correction.ts';
import { retryLeads } from './retry.ts';

const tomorrow = () => new Date(Date.now() + 86_400_000);

test('a retry starts a new round for a failed lead', async ({ db }) => {
  const lead = await storeLead(db, {
    beehiivStatus: 'failed',
    nextAttemptAt: null,
    budgetSpent: 9,
    quarantineReason: 'the hidden field was filled',
  });

  expect(await retryLeads(db, [lead.id])).toEqual([lead.id]);

  expect(await db('leads').first()).toMatchObject({
    beehiivStatus: 'pending',
    syncRound: 2,
    budgetSpent: 0,
    quarantineReason: null,
  });
});

test('a retry makes a pending lead due, in the same round', async ({ db }) => {
  const lead = await storeLead(db, { nextAttemptAt: tomorrow() });

  expect(await retryLeads(db, [lead.id])).toEqual([lead.id]);

  expect(await listClaims(db)).toContain(lead.id);
  expect(await db('leads').first()).toMatchObject({ syncRound: 1 });
});

test('a retry leaves sent leads alone', async ({ db }) => {
  const lead = await storeLead(db, { beehiivStatus: 'sent', nextAttemptAt: null });

  expect(await retryLeads(db, [lead.id])).toEqual([]);
});

test.for(['is sent', 'may be sent', 'is being sent'])(
  'a lead that %s and is erased leaves its email to be looked up',
  async (state, { db }) => {
    const email = 'ada@reader.example';
    const gone = await storeLead(db, {
      email,
      outcomeUnknown: state === 'may be sent',
      ...(state === 'is sent' && { beehiivStatus: 'sent', nextAttemptAt: null }),
    });
    if (state === 'is being sent') await storeAttempts(db, [gone.id]);
    const { id } = await storeLead(db, { email });

    await passOnUnknown(db, [gone.id]);

    expect(await db('leads').where({ id })).toMatchObject([{ outcomeUnknown: true }]);
  },
);
