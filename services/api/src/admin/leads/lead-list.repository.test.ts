// @module-tag long
import { storeSubscription } from '@site/testing/money-builders';
import { storeLead } from '@site/testing/builders';
import { describe, expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';

describe('GET /api/admin/charts', () => {
  test('charts count leads by day and source under the list’s filter', async ({ operator, db }) => {
    const at = (day: string) => new Date(`${day}T12:00:00Z`);
    await storeLead(db, { submittedAt: at('2026-07-01'), utmSource: 'nav_sub' });
    await storeLead(db, {
      submittedAt: at('2026-07-01'),
      utmSource: 'nav_sub',
      formType: 'pre_sample',
    });
    await storeLead(db, { submittedAt: at('2026-07-03') });
    await storeLead(db, { submittedAt: at('2026-08-03'), utmSource: 'top_sub' });

    const july = await operator.get('charts?startDate=2026-07-01&endDate=2026-07-31');
    const searched = await operator.get('charts?source=top_sub');

    expect(july.json.days).toEqual([
      { day: '2026-07-01', preSample: 1, preBuy: 1 },
      { day: '2026-07-03', preSample: 0, preBuy: 1 },
    ]);
    expect(july.json.sources).toEqual([
      { source: 'nav_sub', isRest: false, preSample: 1, preBuy: 1 },
      { source: null, isRest: false, preSample: 0, preBuy: 1 },
    ]);
    expect(searched.json.days).toEqual([{ day: '2026-08-03', preSample: 0, preBuy: 1 }]);
  });

  test('charts sum small sources, because anybody can invent many', async ({ operator, db }) => {
    for (let n = 0; n < 9; n++)
      await storeLead(db, { utmSource: `source ${n}`.padEnd(2_000, 'x') });

    const { json } = await operator.get('charts');

    expect(json.sources).toHaveLength(4);
    expect(json.sources.at(-1)).toEqual({ source: null, isRest: true, preSample: 0, preBuy: 6 });
  });

  test('charts show the same days from the counters as from the rows', async ({ operator, db }) => {
    await db.raw(
      `insert into leads (id, email, form_type, submitted_at, utm_source, beehiiv_status, subscriber_status, next_attempt_at)
       select gen_random_uuid(), n || '@reader.example', (array['pre_buy', 'pre_sample'])[1 + n % 2],
         timestamptz '2026-10-24 22:30Z' + n * interval '7 hours', (array['nav_sub', 'top_sub', '', null])[1 + n % 4],
         status, case when n % 7 <> 0 then (array['active', 'validating', 'pending', 'inactive', 'invalid'])[1 + n % 5] end, now()
       from generate_series(1, 240) n, lateral (select (array['sent', 'sent', 'failed', 'pending'])[1 + n / 3 % 4] as status) of_it`,
    );
    await db('leads').where({ utmSource: 'top_sub' }).whereLike('email', '1%').delete();
    const read = async (filter: string) => (await operator.get(`charts?${filter}`)).json;
    const filters = [
      'formType=pre_buy',
      'startDate=2026-10-25&endDate=2026-11-20',
      'status=sent',
      'status=failed',
    ];
    filters.push(
      'subscriber=awaiting',
      'subscriber=awaiting&status=failed',
      'source=nav_sub',
      'without=source',
      'source=top_sub&subscriber=unsubscribed',
      '',
    );

    filters.push('status=quarantined');

    for (const filter of filters) {
      const fromRollup = await read(filter);
      const fromRows = await read(`${filter}&search=reader.example`);
      expect({ filter, ...fromRollup }).toEqual({ filter, ...fromRows });
    }
    const whole = await read('');
    expect(whole.days).toHaveLength(70);
    expect(whole.sources.map(({ source }: { source: string }) => source)).toEqual([
      '',
      'nav_sub',
      'sample_site',
      null,
    ]);
  });
});

test('counters with a search are exact up to 10,000 and capped beyond', async ({
  operator,
  db,
}) => {
  await db.raw(
    `insert into leads (id, email, form_type, company)
       select gen_random_uuid(), n || '@reader.example', 'pre_buy', case when n <= 10000 then 'Ten Ltd' else 'Ten More' end
       from generate_series(1, 10002) n`,
  );
  const read = async (search: string) => (await operator.get(`leads?search=${search}`)).json;

  expect(await read('ten ltd')).toMatchObject({ counts: { total: 10_000 }, isCapped: false });
  expect(await read('ten')).toMatchObject({ counts: { total: 10_000 }, isCapped: true });
  expect(await read('te')).toMatchObject({ isCapped: true });
  expect(await read('en')).toMatchObject({ counts: { total: 0 } });
});

test('the count of new leads covers the filter’s leads that are newer than the list', async ({
  operator,
  db,
}) => {
  await storeLead(db);
  const list = await operator.get('leads?formType=pre_buy');
  await storeLead(db);
  await storeLead(db);
  await storeLead(db, { formType: 'pre_sample' });

  const { json } = await operator.get(`leads?formType=pre_buy&upTo=${list.json.topCursor}`);

  expect(json).toMatchObject({ newer: 2, counts: { total: 3 } });
});

test('a stage lists its leads', async ({ operator, db }) => {
  const submittedAt = new Date('2026-07-01T12:00:00Z');
  const after = (seconds: number) => new Date(submittedAt.getTime() + seconds * 1_000);
  const sent = { beehiivStatus: 'sent' as const, nextAttemptAt: null, submittedAt };
  const leads = [
    await storeLead(db, { ...sent, beehiivSentAt: after(1) }),
    await storeLead(db, { ...sent, beehiivSentAt: after(2) }),
    await storeLead(db, { ...sent, beehiivSentAt: after(42) }),
    await storeLead(db, { submittedAt }),
  ];
  await storeLead(db, {
    ...sent,
    submittedAt: new Date('2026-08-01T12:00:00Z'),
    beehiivSentAt: new Date(),
  });
  const subscribe = async (leadId: string, status: string, firstPaidAt: Date | null = null) =>
    storeSubscription(db, {
      leadId,
      email: `${leadId}@reader.example`,
      status,
      firstPaidAt,
    });
  await subscribe(leads[0]!.id, 'trialing');
  for (const lead of [leads[1]!, leads[1]!, leads[3]!])
    await subscribe(lead.id, 'canceled', after(60));
  // The subscription's first charge failed.
  await subscribe(leads[2]!.id, 'past_due');

  const inTrial = await operator.get('leads?stage=trial');
  expect(inTrial.json).toMatchObject({
    counts: { total: 1 },
    leads: [{ id: leads[0]!.id }],
  });
  const listed = async (stage: string) =>
    (await operator.get(`leads?stage=${stage}`)).json.counts.total;
  expect([await listed('any'), await listed('paid')]).toEqual([4, 2]);
  const cancelAt = new Date('2026-07-08T12:00:00Z');
  await db('subscriptions').where({ leadId: leads[0]!.id }).update({ cancelAt });
  const ending = await operator.get('leads?stage=ending');
  expect(ending.json).toMatchObject({
    counts: { total: 1 },
    leads: [{ id: leads[0]!.id }],
  });
});
