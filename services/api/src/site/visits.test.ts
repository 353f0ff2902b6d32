import { query } from '@site/platform/database/query';
import { expect } from 'vitest';
import { test } from '../testing/api.fixture.ts';
import type { Api } from '../testing/api.fixture.ts';

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0';

const load = (api: Api, path: string, headers: Record<string, string> = {}) =>
  api.call('GET', path, { headers: { 'User-Agent': BROWSER, ...headers } });

test('a page load from elsewhere is counted by day, page, channel and campaign', async ({
  api,
  db,
}) => {
  // Summer time: the day in London has begun.
  api.clock.moveTo(new Date('2026-06-30T23:30:00Z'));
  const visits = [
    ['/', { Referer: 'https://www.google.com/search?q=a%40b.example' }],
    ['/?utm_source=linkedin&utm_campaign=winter_sale', { 'Sec-Fetch-Site': 'cross-site' }],
    ['/subscribe?utm_source=linkedin&utm_campaign=ana%2540b.example', {}],
    [
      '/sample-sent?email=ana%40b.example&utm_campaign=%2B44%2020%207946%200000',
      { Referer: 'https://sample.example/get' },
    ],
    ['/', { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Dest': 'document' }],
  ] as const;
  for (const [path, headers] of visits) expect((await load(api, path, headers)).status).toBe(200);
  const own = api.deps.settings.publicUrl;
  const others: [path: string, headers: Record<string, string>][] = [
    ['/', { Referer: `${own}/subscribe` }],
    ['/', { 'Sec-Fetch-Site': 'same-origin' }],
    ['/', { Referer: 'https://checkout.stripe.com/' }],
    ['/sample-sent?checkout=cancelled', {}],
    ['/', { 'Sec-Purpose': 'prefetch;prerender' }],
    ['/', { 'Sec-Fetch-Dest': 'empty' }],
    ['/', { 'User-Agent': 'curl/8.5.0' }],
    ['/', { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot)' }],
    ['/admin-leads', {}],
    ['/no-such-page', {}],
  ];
  for (const [path, headers] of others) await load(api, path, headers);

  const read = (part: string) =>
    query<{ day: string; name: string; count: number }>(
      db,
      `select day::text, name, count from visits where part = :part order by count desc, name`,
      { part },
    );
  await expect
    .poll(() => read('page'))
    .toEqual([
      { day: '2026-07-01', name: '/', count: 3 },
      { day: '2026-07-01', name: '/sample-sent', count: 1 },
      { day: '2026-07-01', name: '/subscribe', count: 1 },
    ]);
  expect((await read('channel')).map(({ name, count }) => [name, count])).toEqual([
    ['LinkedIn', 2],
    ['Direct', 1],
    ['Free sample', 1],
    ['Google', 1],
  ]);
  expect((await read('campaign')).map(({ name, count }) => [name, count])).toEqual([
    ['', 4],
    ['Winter sale', 1],
  ]);
});

test('a page does not wait for Postgres, and a visit is stored once Postgres can', async ({
  api,
  db,
}) => {
  const sum = async () => {
    const [row] = await query<{ sum: number }>(
      db,
      `select coalesce(sum(count), 0)::int as sum from visits where part = 'page'`,
    );
    return row?.sum;
  };
  await db.raw('alter table visits rename to away');
  expect((await load(api, '/')).status).toBe(200);
  await expect
    .poll(
      async () =>
        (
          await db.raw(`select pg_stat_get_db_xact_rollback(oid) > 0 as failed
      from pg_database where datname = current_database()`)
        ).rows[0].failed,
    )
    .toBe(true);
  await db.raw('alter table away rename to visits');
  await load(api, '/');

  await expect.poll(sum).toBe(2);
});

test('a day has at most 100 names of a part, and the rest are others', async ({ db }) => {
  const store = (from: number, to: number) => {
    const seen = Array.from({ length: to - from }, (_, n) => ({
      day: '2026-07-01',
      page: '/',
      source: `source ${from + n}`,
      count: 2,
    }));
    return query(db, 'select count_visits(:seen::jsonb)', { seen: JSON.stringify(seen) });
  };
  await store(0, 60);
  await store(50, 160);

  const rows = await db('visits').where({ part: 'channel' });
  expect(rows).toHaveLength(101);
  const countOf = (wanted: string) => rows.find(({ name }) => name === wanted)?.count;
  expect([countOf('Source 55'), countOf('Source 100'), countOf('other')]).toEqual([4, 2, 120]);
  expect(await db('visits').where({ part: 'page' }).select('name', 'count')).toEqual([
    { name: '/', count: 340 },
  ]);
});

test('a name of the week before is counted on a day with 100 invented ones', async ({ db }) => {
  const count = (day: string, ...sources: string[]) => {
    const seen = sources.map((source) => ({ day, page: '/', source, count: 1 }));
    return query(db, 'select count_visits(:seen::jsonb)', { seen: JSON.stringify(seen) });
  };
  await count('2026-07-01', 'google');
  await count('2026-07-02', ...Array.from({ length: 120 }, (_, n) => `invented ${n}`));

  await count('2026-07-02', 'google', 'late');

  const rows = await db('visits').where({ part: 'channel', day: '2026-07-02' });
  const countOf = (wanted: string) => rows.find(({ name }) => name === wanted)?.count;
  expect([countOf('Google'), countOf('Late'), countOf('other')]).toEqual([1, undefined, 21]);
});
