import { storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { expect } from 'vitest';
import { storeDifferences } from './differences.repository.ts';

test('the batch size changes no difference, and new ones replace the last', async ({ db }) => {
  const names = 'abcdefghijklmnop'.split('');
  const listed = names.slice(3, 14);
  for (const name of names.slice(0, 9)) {
    await storeLead(db, {
      email: `${name}@reader.example`,
      beehiivStatus: 'sent',
      nextAttemptAt: null,
    });
    await storeLead(db, {
      email: `${name}@reader.example`,
      beehiivStatus: 'sent',
      nextAttemptAt: null,
    });
  }
  for (const name of listed) {
    const emailNormalised = `${name}@reader.example`;
    await db('listed_subscribers').insert({
      emailNormalised,
      subscriberId: name,
      subscriberStatus: 'active',
      subscriberTier: 'premium',
    });
  }
  const found = [];
  for (const size of [10_000, 5, 1]) {
    const counts = await db.transaction((trx) =>
      storeDifferences(trx, new Date(Date.now() + 60_000), size),
    );
    const rows = await db('differences')
      .orderBy(['kind', 'emailNormalised'])
      .select('kind', 'emailNormalised');
    found.push({ counts, rows });
  }

  expect(found[0]).toMatchObject({ counts: { checked: 9, unknown: 5, paymentsChecked: 0 } });
  expect(found[0]?.rows).toHaveLength(3 + listed.length + 5);
  expect(found.slice(1)).toEqual([found[0], found[0]]);
});
