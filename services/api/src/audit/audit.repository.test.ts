import { expect } from 'vitest';
import { storeLead } from '@site/testing/builders';
import { OPERATOR, test } from '../testing/api.fixture.ts';

test('an operator’s listings of an hour are one action with their rows', async ({
  operator,
  db,
}) => {
  for (let n = 0; n < 3; n++) await storeLead(db);
  await db('users').update({ readings: '{}' });

  await Promise.all([
    operator.get('leads'),
    operator.get('leads'),
    operator.post('people/search', { text: 'nobody@reader.example' }),
    operator.get('attention'),
    operator.post('differences/compare'),
  ]);
  const read = async () =>
    (await operator.get('audit?action=read-lists')).json.actions as {
      detail: unknown;
    }[];
  expect(await read()).toEqual([]);

  await db('users').update({ readingsHour: db.raw(`readings_hour - interval '1 hour'`) });
  const { rows } = await db.raw(`select date_trunc('hour', now()) as ended`);

  const [listed] = await read();
  expect(listed?.detail).toEqual({ leads: 6, people: 0, money: 1 });
  expect(await read()).toMatchObject([
    {
      at: rows[0].ended.toISOString(),
      operator: OPERATOR.username,
    },
  ]);
  expect(await db('users').pluck('readings')).toEqual([{}]);
  expect(await read()).toHaveLength(1);
});
