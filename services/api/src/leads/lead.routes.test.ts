import { storeAttempt } from '@site/testing/builders';
import { Queue } from 'bullmq';
import { once } from 'node:events';
import { expect } from 'vitest';
import { test } from '../testing/api.fixture.ts';

/** The literal body of the subscribe form. */
const subscribe = {
  email: 'Priya.Raman@Northgate.example',
  fullName: 'Priya Raman',
  company: 'Northgate Capital',
  phone: '+44 20 7946 0000',
  formType: 'pre_buy',
  utmSource: 'nav_sub',
  utmCampaign: 'navigation_subscription',
  consentMarketing: true,
  clickedSubscribe: true,
};
const path = '/api/lead/subscribe';

test('a submission stores the lead, answers 201 and queues a job', async ({
  api,
  db,
  redisUrl,
  redisPrefix,
}) => {
  const answer = await api.call('POST', path, {
    body: subscribe,
    headers: {
      'User-Agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)',
      Referer: 'http://site.example/page?x=1',
    },
  });

  expect(answer).toMatchObject({ status: 201, json: { beehiivStatus: 'pending' } });
  const { clickedSubscribe: _, ...columns } = subscribe;
  expect(await db('leads').first()).toMatchObject({
    ...columns,
    id: answer.json.id,
    email: 'Priya.Raman@northgate.example',
    emailNormalised: 'priya.raman@northgate.example',
    beehiivStatus: 'pending',
    consentTextVersion: '2025-12',
    consentPage: 'http://site.example/page',
    ipAddress: '127.0.0.1',
    deviceType: 'mobile',
  });
  const queue = new Queue('leads', { connection: { url: redisUrl }, prefix: redisPrefix });
  await expect.poll(() => queue.getWaitingCount()).toBe(1);
  await queue.close();
});

test.for([
  [undefined, '2025-12'],
  ['2026-11-terms', '2026-11-terms'],
  ['1999-01', null],
  ['constructor', null],
])(
  'a form that names the wording %s leaves %s as evidence, and is accepted',
  async ([sent, kept], { api, db }) => {
    const answer = await api.call('POST', path, {
      body: { ...subscribe, consentTextVersion: sent },
    });

    expect(answer.status).toBe(201);
    expect(await db('leads').first()).toMatchObject({
      consentMarketing: true,
      consentTextVersion: kept,
    });
  },
);

test('a lead stores both visits’ attribution, and unknown fields are ignored', async ({
  api,
  db,
}) => {
  const attribution = {
    utmTerm: 't',
    gclid: 'g'.repeat(5_000),
    landingPage: '/',
    firstPage: '/x',
    referrer: 'https://news.example',
    visitUtm: { source: 'linkedin' },
    firstUtm: { campaign: 'spring' },
  };
  await api.call('POST', path, {
    body: {
      ...subscribe,
      ...attribution,
      surprise: { deep: [1] },
      phone: { not: 'text' },
      company: 42,
    },
  });

  expect(await db('leads').first()).toMatchObject({
    gclid: 'g'.repeat(2_048),
    visitUtmSource: 'linkedin',
    firstUtmCampaign: 'spring',
    phone: null,
    company: '42',
  });
});

test('a repeat of the same email, form and visitor fills the first lead’s gaps', async ({
  api,
  db,
}) => {
  const first = await api.call('POST', path, { body: { ...subscribe, company: undefined } });
  const again = await api.call('POST', path, {
    body: { ...subscribe, email: subscribe.email.toUpperCase(), fullName: 'Somebody Else' },
  });

  expect(again).toMatchObject({ status: 200, json: { id: first.json.id } });
  expect(await db('leads')).toMatchObject([
    { fullName: 'Priya Raman', company: 'Northgate Capital' },
  ]);
});

test('a separate lead is stored for the same email from another visitor', async ({ api, db }) => {
  const first = await api.call('POST', path, {
    body: subscribe,
    headers: { 'User-Agent': 'a laptop' },
  });
  const other = await api.call('POST', path, {
    body: subscribe,
    headers: { 'User-Agent': 'a phone' },
  });
  const again = await api.call('POST', path, {
    body: subscribe,
    headers: { 'User-Agent': 'a laptop' },
  });

  expect(other.status).toBe(201);
  expect(again).toMatchObject({ status: 200, json: { id: first.json.id } });
  expect(await db('leads')).toHaveLength(2);
});

test('one lead is stored for twenty simultaneous submissions', async ({ api, db }) => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.call('POST', path, { body: subscribe })),
  );

  expect(new Set(answers.map((answer) => answer.json.id)).size).toBe(1);
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
  expect(await db('leads')).toHaveLength(1);
});

test('a separate lead is stored after ten minutes, and for the other form', async ({ api, db }) => {
  await api.call('POST', path, { body: subscribe });
  await api.call('POST', path, { body: { ...subscribe, formType: 'pre_sample' } });
  await db('submission_keys').update({ until: new Date(Date.now() - 1_000) });
  const later = await api.call('POST', path, { body: subscribe });

  expect(later.status).toBe(201);
  expect(await db('leads')).toHaveLength(3);
  expect(await db('sample_requests').first()).toMatchObject({
    name: 'Priya Raman',
    email: 'Priya.Raman@northgate.example',
  });
});

test('the same key gets the same lead for days, but only with the same email', async ({
  api,
  db,
}) => {
  const headers = { 'Idempotency-Key': 'a-key' };
  const first = await api.call('POST', path, { body: subscribe, headers });
  await db('submission_keys').where({ isForm: true }).delete();
  const again = await api.call('POST', path, { body: subscribe, headers });
  const other = await api.call('POST', path, {
    body: { ...subscribe, email: 'other@reader.example' },
    headers,
  });

  expect(again).toMatchObject({ status: 200, json: { id: first.json.id } });
  expect(other.status).toBe(201);
});

test.for([
  ['a filled hidden field', { website: 'https://spam.example' }],
  ['an instant submit', { elapsedMs: 300 }],
] as const)('a lead with %s is quarantined', async ([, signal], { api, db }) => {
  const answer = await api.call('POST', path, { body: { ...subscribe, ...signal } });

  expect(answer).toMatchObject({ status: 201, json: { beehiivStatus: 'pending' } });
  expect(await db('leads').first()).toMatchObject({
    beehiivStatus: 'failed',
    beehiivResponse: expect.stringMatching(/^quarantined: /),
  });
});

test('a consent that a repeat gives after the lead was sent is sent to Beehiiv', async ({
  api,
  db,
}) => {
  const body = { ...subscribe, consentMarketing: false };
  const readDue = async () => (await db('leads').first()).consentDueAt;
  await api.call('POST', path, { body });
  await storeAttempt(db, { leadId: (await db('leads').first()).id });
  await db('leads').update({ beehiivStatus: 'sent', nextAttemptAt: null });

  await api.call('POST', path, { body });
  const without = await readDue();
  await api.call('POST', path, { body: subscribe });

  expect(without).toBeNull();
  expect(await readDue()).toBeInstanceOf(Date);
  expect(await db('leads')).toMatchObject([{ consentMarketing: true }]);
});

test('a clean repeat lifts a quarantine', async ({ api, db }) => {
  await api.call('POST', path, { body: { ...subscribe, elapsedMs: 300 } });
  const clean = await api.call('POST', path, { body: { ...subscribe, elapsedMs: 30_000 } });

  expect(clean).toMatchObject({ status: 200, json: { beehiivStatus: 'pending' } });
  const lead = await db('leads').first();
  expect(lead).toMatchObject({ beehiivStatus: 'pending', syncRound: 2, quarantineReason: null });
  expect(lead?.roundStartedAt).toEqual(lead?.consentTimestamp);
});

test.for([
  ['invalid JSON', '{"email": ', 400, 'malformed-json'],
  ['an array', [], 400, 'malformed-json'],
  ['a text', '"text"', 400, 'malformed-json'],
  ['no body', '', 422, 'fields-invalid'],
  ['too large a body', { ...subscribe, message: 'x'.repeat(70_000) }, 413, 'body-too-large'],
  ['no email', { formType: 'pre_buy' }, 422, 'fields-invalid'],
  ['an invalid email', { ...subscribe, email: 'priya@northgate' }, 422, 'fields-invalid'],
  [
    'too long an email',
    { ...subscribe, email: `${'a'.repeat(250)}@x.example` },
    422,
    'fields-invalid',
  ],
  ['an unknown form', { ...subscribe, formType: 'pre_nothing' }, 422, 'fields-invalid'],
] as const)(
  'a submission of %s is refused and nothing is stored',
  async ([, body, status, kind], { api, db }) => {
    const answer = await api.call('POST', path, { body });

    expect(answer).toMatchObject({
      status,
      json: { type: `urn:problem:${kind}`, status, requestId: expect.any(String) },
    });
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.headers.get('x-request-id')).toBe(answer.json.requestId);
    expect(await db('leads')).toEqual([]);
  },
);

test('a refused submission names the invalid field and what it lacks', async ({ api }) => {
  const { json } = await api.call('POST', path, {
    body: { ...subscribe, email: 'priya@northgate' },
  });

  expect(json.errors).toEqual([
    { field: 'email', message: 'Invalid email. It needs an ending, as in name@company.co.uk' },
  ]);
});

test('a submission of another media type is refused', async ({ api }) => {
  const answer = await api.call('POST', path, {
    body: 'email=a@b.example&formType=pre_buy',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });

  expect(answer).toMatchObject({
    status: 415,
    json: { type: 'urn:problem:media-type-unsupported' },
  });
});

test('submissions are limited by IP address, with the time to wait', async ({ api }) => {
  // Until Redis is connected each process counts for itself, and starts again afterwards.
  if (api.deps.redis.status !== 'ready') await once(api.deps.redis, 'ready');
  const answers = [];
  for (let n = 0; n < 31; n++)
    answers.push(
      await api.call('POST', path, { body: { ...subscribe, email: `n${n}@reader.example` } }),
    );

  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(30);
  const refused = answers.at(-1)!;
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('submissions are accepted from the sample site and from no other origin', async ({ api }) => {
  const preflight = (origin: string) =>
    api.call('OPTIONS', path, {
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    });

  expect(
    (await preflight('http://sample.example')).headers.get('access-control-allow-origin'),
  ).toBe('http://sample.example');
  expect(
    (await preflight('http://evil.example')).headers.get('access-control-allow-origin'),
  ).toBeNull();
});

test('a repeat is answered though Postgres cannot lower its newest letter', async ({ api }) => {
  const body = { email: 'a\uA7DA@x.example', formType: 'pre_buy' };
  const submit = () => api.call('POST', path, { body, headers: { 'Idempotency-Key': 'a' } });

  const answers = [await submit(), await submit()];

  expect(answers.map(({ status }) => status)).toEqual([201, 200]);
});
