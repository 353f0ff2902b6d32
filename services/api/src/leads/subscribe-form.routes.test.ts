import { expect } from 'vitest';
import type { PlainForm } from '@site/schema/page-render';
import { test as base } from '../testing/shop.fixture.ts';

const test = base.extend(
  'post',
  ({ shop }) =>
    (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(`${shop.url}/subscribe`, {
        method: 'POST',
        redirect: 'manual',
        headers,
        body: new URLSearchParams({
          fullName: 'Priya Raman',
          email: 'priya@northgate.example',
          from: 'top_sub',
          ...fields,
        }),
      }),
);

/** Reads the page's form. These tests' renderer writes it as JSON. */
async function shownForm(answer: Response): Promise<PlainForm> {
  const [, json = '{}'] = /<pre>(.+)<\/pre>/s.exec(await answer.text()) ?? [];
  const plain = json
    .replaceAll('&quot;', '\\"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  return (JSON.parse(plain) as { form: PlainForm }).form;
}

test('a plain form becomes a lead like any other, and redirects to Stripe’s page', async ({
  post,
  db,
}) => {
  const answer = await post({
    company: 'Northgate',
    intentId: 'intent-1',
    landingPage: 'https://site.example/?utm_source=news&utm_medium=email&gclid=g',
  });

  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toMatch(/\/c\/pay\/cs_/);
  expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^receipts=/)]);
  expect(await db('leads')).toMatchObject([
    {
      email: 'priya@northgate.example',
      fullName: 'Priya Raman',
      company: 'Northgate',
      formType: 'pre_buy',
      utmSource: 'top_sub',
      utmCampaign: 'hero_subscription',
      utmMedium: 'email',
      visitUtmSource: 'news',
      gclid: 'g',
      consentMarketing: true,
      beehiivStatus: 'pending',
    },
  ]);
});

test('a form that another site sends is refused, and shown again', async ({ post, db }) => {
  for (const origin of ['https://evil.example', 'null']) {
    const answer = await post({}, { Origin: origin });

    expect(answer.status).toBe(403);
    expect(JSON.stringify((await shownForm(answer)).notice)).toContain('not allowed');
  }
  expect(await db('leads')).toEqual([]);
  expect((await post({}, { Origin: 'http://site.example' })).status).toBe(303);
});

test('sending the same form twice creates one lead and one checkout', async ({ post, db }) => {
  const [first, second] = await Promise.all([post({ intentId: 'i' }), post({ intentId: 'i' })]);

  expect(first.headers.get('location')).toBe(second.headers.get('location'));
  expect(await db('leads')).toHaveLength(1);
});

test('an email that looks mistyped is used as it was typed', async ({ post, db }) => {
  const answer = await post({ email: 'priya@gmial.com' });

  expect(answer.headers.get('location')).toMatch(/\/c\/pay\/cs_/);
  expect(await db('leads')).toMatchObject([{ email: 'priya@gmial.com' }]);
});

test('invalid fields come back with a sentence each and what was typed', async ({ post, db }) => {
  const answer = await post({ fullName: ' ', email: 'priya@northgate', phone: '<b>1' });

  expect(answer.status).toBe(422);
  expect(answer.headers.get('cache-control')).toBe('private, no-cache');
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(await shownForm(answer)).toMatchObject({
    from: 'top_sub',
    values: { fullName: ' ', email: 'priya@northgate', phone: '<b>1' },
    errors: {
      fullName: 'Enter your name',
      email: 'Invalid email. It needs an ending, as in name@company.co.uk',
    },
    notice: null,
  });
  expect(await db('leads')).toEqual([]);
});

test('an email that Stripe refuses is reported on its field', async ({ post }) => {
  const answer = await post({ email: 'zoë@northgate.example' });

  expect(answer.status).toBe(422);
  expect(await shownForm(answer)).toMatchObject({
    errors: { email: 'The payment page does not accept this address' },
    notice: null,
  });
});

test('a payment page that cannot be opened is reported on the form', async ({
  post,
  db,
  sandbox,
}) => {
  sandbox.setFault({ target: 'stripe', mode: 'status', status: 500 });

  const answer = await post({ intentId: 'intent-1' });

  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('5');
  expect(await shownForm(answer)).toMatchObject({
    values: { fullName: 'Priya Raman', email: 'priya@northgate.example' },
    notice: {
      title: 'The payment page cannot be reached right now.',
      detail: expect.stringContaining('contact support'),
    },
    intentId: 'intent-1',
  });
  // As the browser does when the answer is loaded again.
  await post({ intentId: 'intent-1' });
  expect(await db('leads')).toHaveLength(1);
});

test('a visitor can pay even if the lead cannot be stored', async ({ post, db }) => {
  await db.schema.renameTable('submission_keys', 'submission_keys_away');

  const answer = await post({});

  expect(answer.status).toBe(303);
});

test('a body of another type, or too large, is refused on the form', async ({ post, shop }) => {
  const json = await fetch(`${shop.url}/subscribe`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });
  const large = await post({ company: 'x'.repeat(70_000) });

  expect([json.status, large.status]).toEqual([415, 413]);
  expect(await shownForm(large)).toMatchObject({ notice: { title: expect.any(String) } });
});

test('the form has the requested button and the visit’s first page', async ({ shop }) => {
  const shown = await fetch(`${shop.url}/subscribe?from=bottom_sub`, {
    headers: { Referer: `${shop.url}/?utm_source=news&session_id=cs_1#faq` },
  });
  expect(shown.headers.get('cache-control')).toBe('private, no-cache');
  expect(shown.headers.getSetCookie()).toEqual([]);
  const form = await shownForm(shown);
  const other = await shownForm(
    await fetch(`${shop.url}/subscribe?from=x&utm_source=ad`, {
      headers: { Referer: 'https://other.example/' },
    }),
  );

  expect(form).toMatchObject({
    from: 'bottom_sub',
    landingPage: `${shop.url}/?utm_source=news`,
    errors: {},
  });
  expect(other).toMatchObject({
    from: 'nav_sub',
    landingPage: 'http://site.example/subscribe?utm_source=ad',
  });
  expect(form.intentId).not.toBe(other.intentId);
});

test('cancelling at Stripe returns to the form of the same button, with a notice', async ({
  post,
  shop,
  sandbox,
}) => {
  await post({});
  const [checkout] = sandbox.stripe.checkouts.newestFirst();
  const back = new URL(checkout?.session.cancel_url ?? '');

  expect(back.href).toBe('http://site.example/subscribe?from=top_sub&checkout=cancelled');
  expect(await shownForm(await fetch(shop.url + back.pathname + back.search))).toMatchObject({
    from: 'top_sub',
    notice: { kind: 'returned' },
    values: { email: '' },
  });
});

test('one client is shown the form sixty times a minute', async ({ newShop }) => {
  const { url } = await newShop({
    settings: { RATE_LIMIT_LEADS_PER_MINUTE: '1000', TRUST_PROXY: 'true' },
  });
  const show = async (ip: string) =>
    (await fetch(`${url}/subscribe`, { headers: { 'X-Forwarded-For': ip } })).status;

  for (let n = 0; n < 60; n++) await Promise.all([show('203.0.113.7'), show('10.0.0.7')]);

  expect(await Promise.all([show('203.0.113.7'), show('203.0.113.8'), show('10.0.0.7')])).toEqual([
    429, 200, 200,
  ]);
});
