import { storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { expect } from 'vitest';
import { storeDifferences, storeListed } from './differences.repository.ts';

test('the batch size changes no difference, and new ones replace the last', async ({ db }) => {
  const names = 'abcdefghijklmnop'.split('');
  const listed = names.slice(3, 14);
  for (const name of names.slice(0, 9)) {
    await storeLead(db, {
      email: `${name}@reader.example`,
      beehiivStatus: 'sent',
      beehiivSentAt: new Date(0),
      nextAttemptAt: null,
    });
    await storeLead(db, {
      email: `${name}@reader.example`,
      beehiivStatus: 'sent',
      beehiivSentAt: new Date(0),
      nextAttemptAt: null,
    });
  }
  const found = [];
  const list = listed.map((name) => ({ email: `${name}@reader.example`, id: name }));
  for (const size of [10_000, 5, 1]) {
    const startedAt = new Date();
    await storeListed(
      db,
      list.map((each) => ({ ...each, status: 'active', tier: 'premium' })),
      startedAt,
    );
    const counts = await db.transaction((trx) => storeDifferences(trx, startedAt, size));
    const rows = await db('differences')
      .orderBy(['kind', 'emailNormalised'])
      .select('kind', 'emailNormalised');
    found.push({ counts, rows });
  }

  expect(found[0]).toMatchObject({ counts: { checked: 9, paymentsChecked: 0 } });
  expect(found[0]?.rows).toHaveLength(3 + listed.length + 5);
  expect(found.slice(1)).toEqual([found[0], found[0]]);
});
