// @module-tag long
import { describe, expect, test } from 'vitest';
import { beehiivClient, standingClock, startSandbox } from '../testing/fixtures.ts';

describe('adding an email', () => {
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
});
