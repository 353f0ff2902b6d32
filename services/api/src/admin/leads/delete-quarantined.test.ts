import { randomUUID } from 'node:crypto';
import { storeLead } from '@site/testing/builders';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import {
  eventOf,
  openCheckout,
  sessionOf,
  test as shopTest,
  VISITOR,
} from '../../testing/shop.fixture.ts';
import { storeSubscription } from '@site/testing/money-builders';
import { deleteQuarantined } from './delete-quarantined.ts';

const PATH = '/api/admin/leads/delete-quarantined';
const quarantined = {
  beehiivStatus: 'failed',
  quarantineReason: 'too-fast',
  nextAttemptAt: null,
  beehiivResponse: 'quarantined: too-fast',
} as const;

test('deleting by a filter deletes only its quarantined leads', async ({ api, db }) => {
  const headers = await api.logIn();
  const email = 'bot@reader.example';
  const gone = await storeLead(db, { ...quarantined, email, formType: 'pre_sample' });
  await db('sample_requests').insert({ id: randomUUID(), email, leadId: gone.id });
  const own = await storeLead(db, { email });
  const otherForm = await storeLead(db, { ...quarantined, formType: 'pre_buy' });
  const failed = await storeLead(db, {
    beehiivStatus: 'failed',
    nextAttemptAt: null,
    formType: 'pre_sample',
  });
  const body = { filter: { formType: 'pre_sample' } };

  const asked = await api.call('POST', PATH, { headers, body: { ...body, dryRun: true } });
  const done = await api.call('POST', PATH, { headers, body });

  expect([asked.json, done.json]).toEqual([{ count: 1 }, { count: 1 }]);
  expect(new Set(await db('leads').pluck('id'))).toEqual(
    new Set([own.id, otherForm.id, failed.id]),
  );
  expect(new Set(await db('people').pluck('email'))).toEqual(
    new Set([own.email, otherForm.email, failed.email]),
  );
  expect(await db('sample_requests')).toEqual([]);
  expect(await db('removal_requests')).toEqual([]);
  expect(await db('operator_actions').where({ action: 'delete-quarantined' })).toMatchObject([
    { detail: { deleted: 1, formType: 'pre_sample' } },
  ]);
});

test('deleting a selection deletes only quarantined leads that did not pay', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const [bot, paid, sent] = [
    await storeLead(db, quarantined),
    await storeLead(db, quarantined),
    await storeLead(db, { beehiivStatus: 'sent', nextAttemptAt: null }),
  ];
  await storeSubscription(db, { leadId: paid.id });
  const ids = [bot.id, paid.id, sent.id];

  const { json } = await api.call('POST', PATH, { headers, body: { ids } });

  expect(json).toEqual({ count: 1 });
  expect(new Set(await db('leads').pluck('id'))).toEqual(new Set([paid.id, sent.id]));
  const counts = await db('lead_counts').sum({ leads: 'leads' }).first();
  expect(Number(counts?.leads)).toBe(2);
});

test.for([{}, { ids: ['00000000-0000-4000-8000-000000000000'], filter: {} }])(
  'deleting quarantined leads refuses %j',
  async (body, { api }) => {
    const headers = await api.logIn();

    expect((await api.call('POST', PATH, { headers, body })).status).toBe(422);
  },
);

shopTest('a deleted lead leaves no abandoned checkout', async ({ shop, sandbox, db }) => {
  const bot = await storeLead(db, { ...quarantined, email: VISITOR });
  const { body } = await openCheckout(shop, { leadId: bot.id });

  await deleteQuarantined(db, 'j.holt', { ids: [bot.id] });
  await shop.stripe.checkout.sessions.expire(sessionOf(body.url));
  await shop.deliver(eventOf(sandbox, 'checkout.session.expired'));

  expect(await db('checkouts')).toEqual([]);
});
