import { expect } from 'vitest';
import { sessionOf, test as base, unreachableDatabase, VISITOR } from '../testing/shop.fixture.ts';

const settings = { SESSION_SECRET: 'a'.repeat(64) };
const test = base
  .extend('shop', ({ newShop }) => newShop({ settings }))
  .extend('openPlain', ({ shop }) => async () => {
    const body = new URLSearchParams({ fullName: 'Priya Raman', email: VISITOR });
    const opened = await fetch(`${shop.url}/subscribe`, {
      method: 'POST',
      redirect: 'manual',
      body,
    });
    const cookies = opened.headers
      .getSetCookie()
      .filter((cookie) => cookie.startsWith('receipts='));
    return {
      id: sessionOf(opened.headers.get('Location') ?? ''),
      cookie: cookies[0]?.split(';')[0] ?? '',
    };
  })
  .extend('read', ({ shop }) => async (id: string, cookie: string, url = shop.url) => {
    const answer = await fetch(`${url}/thank-you?session_id=${id}`, {
      headers: { Cookie: cookie },
    });
    const [, rendered = '{}'] = /<pre>(.*)<\/pre>/.exec(await answer.text()) ?? [];
    return {
      caching: answer.headers.get('Cache-Control'),
      ...(JSON.parse(rendered) as { checkout?: object }),
    };
  });

test('the page after checkout names its payer only to the paying browser', async ({
  openPlain,
  read,
  sandbox,
  db,
}) => {
  const { id, cookie } = await openPlain();

  expect((await read(id, cookie)).checkout).toEqual({
    state: 'unfinished',
    url: expect.stringContaining(id),
    isExpired: false,
  });
  sandbox.stripe.completeCheckout(id, { email: VISITOR, name: 'Priya Raman' });
  expect(await read(id, cookie)).toMatchObject({
    caching: 'no-store',
    checkout: {
      state: 'confirmed',
      receipt: { name: 'Priya Raman', firstChargeAt: expect.any(String) },
    },
  });
  expect(await db('subscriptions')).toHaveLength(1);
  const other = await read(id, '');
  expect(other).toMatchObject({ checkout: { state: 'confirmed', receipt: { name: 'P•••' } } });
  expect((await read('cs_test_other', cookie)).checkout).toEqual({ state: 'not-found' });
});

test('the page after a plain form reports an unavailable Stripe or Postgres', async ({
  openPlain,
  read,
  sandbox,
  newShop,
}) => {
  const { id, cookie } = await openPlain();
  sandbox.stripe.completeCheckout(id, { email: VISITOR });
  const { url } = await newShop({ settings, parts: { db: unreachableDatabase() } });

  expect((await read(id, cookie, url)).checkout).toEqual({ state: 'unreachable' });
  expect((await read(id, cookie)).checkout).toMatchObject({ state: 'confirmed' });
  sandbox.setFault({ target: 'stripe', mode: 'status', status: 503 });
  expect((await read(id, cookie)).checkout).toEqual({ state: 'unreachable' });
});
