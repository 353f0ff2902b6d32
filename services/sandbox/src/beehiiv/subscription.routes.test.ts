// @module-tag long
import { isAxiosError } from 'axios';
import { describe, expect, test, vi } from 'vitest';
import { beehiivClient, standingClock, startSandbox } from '../testing/fixtures.ts';

describe('adding an email', () => {
  test('an email in different case is the same subscriber and stays unchanged', async () => {
    const sandbox = await startSandbox();
    const beehiiv = beehiivClient(sandbox);
    const first = await beehiiv.post('/subscriptions', {
      email: 'ada@example.com',
      utm_source: 'first',
    });

    const second = await beehiiv.post('/subscriptions', {
      email: 'Ada@Example.com',
      utm_source: 'second',
    });

    expect(second.status).toBe(200);
    expect(second.data.data).toMatchObject({ id: first.data.data.id, utm_source: 'first' });
    expect(sandbox.beehiiv.subscriptions()).toHaveLength(1);
  });

  test('custom fields that the publication lacks are silently dropped', async () => {
    const sandbox = await startSandbox();

    await beehiivClient(sandbox).post('/subscriptions', {
      email: 'ada@example.com',
      custom_fields: [
        { name: 'company', value: 'Analytical' },
        { name: 'shoe_size', value: '38' },
      ],
    });

    expect(sandbox.beehiiv.find('ada@example.com')?.custom_fields).toEqual([
      { name: 'company', kind: 'string', value: 'Analytical' },
    ]);
  });

  test('a validating subscriber becomes active a moment later', async () => {
    const clock = standingClock();
    const beehiiv = beehiivClient(await startSandbox({ clock }));
    const { data } = await beehiiv.post('/subscriptions', { email: 'ada@example.com' });

    clock.advance(2_000);

    const later = await beehiiv.get(`/subscriptions/by_email/${data.data.email}`);
    expect(later.data.data.status).toBe('active');
  });

  test.each([
    ['a missing email', {}, 'NOT_EXIST_REQUIRED_KEY'],
    ['a malformed email', { email: 'ada@' }, 'INVALID_EMAIL_FORMAT'],
    ['an email of the wrong type', { email: 7 }, 'VALIDATE_ERROR'],
    ['a boolean sent as text', { email: 'a@b.io', reactivate_existing: 'true' }, 'VALIDATE_ERROR'],
    ['an unknown key', { email: 'a@b.io', tags: ['x'] }, 'NOT_EXIST_PROPERTY_DEFINITION'],
    [
      'a value outside the list',
      { email: 'a@b.io', double_opt_override: 'maybe' },
      'NOT_ENUM_INCLUDE',
    ],
    [
      'custom fields as an object',
      { email: 'a@b.io', custom_fields: { company: 'x' } },
      'VALIDATE_ERROR',
    ],
  ])(
    'a new subscriber with %s is refused with 400 and the error body of the service',
    async (_name, body, code) => {
      const sandbox = await startSandbox();

      const { status, data } = await beehiivClient(sandbox).post('/subscriptions', body);

      expect(status).toBe(400);
      expect(data).toEqual({
        status: 400,
        statusText: 'bad_request',
        errors: [
          { message: expect.stringContaining('#/components/schemas/subscriptionrequest'), code },
        ],
      });
      expect(sandbox.beehiiv.subscriptions()).toEqual([]);
    },
  );

  test('a body that is not JSON, or is not declared as JSON, is refused with 400', async () => {
    const beehiiv = beehiivClient(await startSandbox());

    const broken = await beehiiv.post('/subscriptions', Buffer.from('{"email":'), {
      headers: { 'Content-Type': 'application/json' },
    });
    const form = await beehiiv.post('/subscriptions', 'email=a@b.io');

    expect([broken.status, broken.data.errors[0].code]).toEqual([400, 'MALFORMED_JSON']);
    expect([form.status, form.data.errors[0].code]).toEqual([400, 'INVALID_CONTENT_TYPE']);
  });
});

test('a wrong key is refused with 401, another publication with 404', async () => {
  const sandbox = await startSandbox();

  const wrongKey = await beehiivClient(sandbox, 'guess').get('/subscriptions');
  const wrongPublication = await beehiivClient(sandbox).get(
    `${sandbox.url}/v2/publications/00000000-0000-4000-8000-000000000000/subscriptions`,
  );

  expect(wrongKey.data).toMatchObject({ status: 401, statusText: 'unauthorized' });
  expect(wrongPublication.data).toMatchObject({ status: 404, statusText: 'not_found' });
});

describe('magic emails', () => {
  test.each([
    ['+invalid', 201, 'invalid'],
    ['+pending', 201, 'pending'],
    ['+inactive', 200, 'inactive'],
    ['+exists', 200, 'active'],
  ])(
    'an email with %s is answered with %i and the status %s',
    async (tag, status, subscriberStatus) => {
      const beehiiv = beehiivClient(await startSandbox());

      const answer = await beehiiv.post('/subscriptions', { email: `ada+x${tag}@example.com` });

      expect([answer.status, answer.data.data.status]).toEqual([status, subscriberStatus]);
    },
  );

  test.each([
    ['+422', 422, 'unprocessable_entity'],
    ['+500', 500, 'internal_server_error'],
  ])(
    'an email with %s is refused every time with %i, and nothing is stored',
    async (tag, status, statusText) => {
      const sandbox = await startSandbox();
      const beehiiv = beehiivClient(sandbox);
      const body = { email: `ada${tag}@example.com` };

      const answers = [
        await beehiiv.post('/subscriptions', body),
        await beehiiv.post('/subscriptions', body),
      ];

      expect(answers.map((answer) => answer.data)).toEqual(
        Array.from({ length: 2 }, () => ({ status, statusText, errors: [expect.anything()] })),
      );
      expect(sandbox.beehiiv.subscriptions()).toEqual([]);
    },
  );

  test('an email with +429 is rate limited once for some seconds, then accepted', async () => {
    const beehiiv = beehiivClient(await startSandbox({ clock: standingClock() }));

    const limited = await beehiiv.post('/subscriptions', { email: 'ada+429@example.com' });
    const accepted = await beehiiv.post('/subscriptions', { email: 'ada+429@example.com' });

    expect(limited.status).toBe(429);
    expect(limited.headers['ratelimit-remaining']).toBe('0');
    const secondsToReset =
      Number(limited.headers['ratelimit-reset']) - Date.parse(limited.headers['date']) / 1_000;
    expect(secondsToReset).toBe(5);
    expect(accepted.status).toBe(201);
  });

  test('an email with +hang is never answered, and ends when the client gives up', async () => {
    const sandbox = await startSandbox();

    const failure: unknown = await beehiivClient(sandbox)
      .post('/subscriptions', { email: 'ada+hang@example.com' }, { timeout: 150 })
      .catch((error: unknown) => error);

    expect(isAxiosError(failure) && failure.code).toBe('ECONNABORTED');
    expect(sandbox.beehiiv.subscriptions()).toEqual([]);
    await vi.waitFor(() => {
      expect(sandbox.beehiiv.requests()).toMatchObject([
        { status: null, outcome: 'client gave up' },
      ]);
    }, 15_000);
  });

  test('an email with +reset is stored, and the connection is cut before the answer', async () => {
    const sandbox = await startSandbox();
    const beehiiv = beehiivClient(sandbox);

    const failure: unknown = await beehiiv
      .post('/subscriptions', { email: 'ada+reset@example.com' })
      .catch((error: unknown) => error);

    expect(isAxiosError(failure) && failure.code).toBe('ECONNRESET');
    const found = await beehiiv.get('/subscriptions/by_email/ada%2Breset%40example.com');
    expect(found.data.data.email).toBe('ada+reset@example.com');
  });
});

describe('reading and updating a subscriber', () => {
  test('an email with + and other characters is found when percent-encoded', async () => {
    const beehiiv = beehiivClient(await startSandbox());
    const email = "o'brien+news/uk%20x@exämple.co.uk";
    await beehiiv.post('/subscriptions', {
      email,
      custom_fields: [{ name: 'company', value: 'X' }],
    });

    const found = await beehiiv.get(
      `/subscriptions/by_email/${encodeURIComponent(email)}?expand[]=custom_fields`,
    );
    const unknown = await beehiiv.get('/subscriptions/by_email/nobody%40example.com');

    expect(found.data.data).toMatchObject({
      email,
      custom_fields: [{ name: 'company', value: 'X' }],
    });
    expect(unknown.data).toMatchObject({ status: 404, statusText: 'not_found' });
  });
});

test('the request log has each request’s email, and none in a path', async () => {
  const sandbox = await startSandbox();
  const beehiiv = beehiivClient(sandbox);
  await beehiiv.post('/subscriptions', { email: 'Ada@example.com' });
  await beehiiv.get('/subscriptions/by_email/ada%40example.com');
  await beehiiv.get('/subscriptions?email=ada%40example.com');

  await vi.waitFor(() => {
    expect(
      sandbox.beehiiv
        .requests()
        .map(({ method, path, subject, status }) => [method, path, subject, status]),
    ).toEqual([
      ['POST', expect.stringMatching(/\/subscriptions$/), 'ada@example.com', 201],
      ['GET', expect.stringMatching(/\/subscriptions\/by_email\/:email$/), 'ada@example.com', 200],
      ['GET', expect.stringMatching(/\/subscriptions$/), null, 200],
    ]);
  }, 15_000);
  expect(sandbox.beehiiv.requests({ subject: 'ada@example.com' })).toHaveLength(2);
});
