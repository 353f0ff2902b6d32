import { storeAttempts, storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { expect } from 'vitest';

test('a lead’s status rejects every change that is not a legal transition', async ({ db }) => {
  const sent = await storeLead(db, { beehiivStatus: 'sent', nextAttemptAt: null });
  const failed = await storeLead(db, { beehiivStatus: 'failed', nextAttemptAt: null });
  const untried = await storeLead(db);
  const set = (id: string, columns: object) => db('leads').where({ id }).update(columns);

  await expect(
    set(sent.id, { beehiivStatus: 'pending', nextAttemptAt: new Date(), syncRound: 2 }),
  ).rejects.toThrow('cannot go from sent');
  await expect(set(sent.id, { beehiivStatus: 'failed' })).rejects.toThrow('cannot go from sent');
  await expect(set(failed.id, { beehiivStatus: 'sent' })).rejects.toThrow('cannot go from failed');
  await expect(
    set(failed.id, { beehiivStatus: 'pending', nextAttemptAt: new Date() }),
  ).rejects.toThrow('cannot go from failed');
  await expect(set(untried.id, { beehiivStatus: 'sent' })).rejects.toThrow(
    'cannot go from pending',
  );
});

test('a lead’s status goes from pending to sent with an attempt, and to failed', async ({ db }) => {
  const [first, second] = [await storeLead(db), await storeLead(db)];
  await storeAttempts(db, [first.id]);

  await db('leads').where({ id: first.id }).update({ beehiivStatus: 'sent' });
  await db('leads').where({ id: second.id }).update({ beehiivStatus: 'failed' });

  expect(await db('leads').select('beehiivStatus').orderBy('beehiivStatus')).toEqual([
    { beehiivStatus: 'failed' },
    { beehiivStatus: 'sent' },
  ]);
});
