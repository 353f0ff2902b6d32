import { BEEHIIV_ANSWERS } from '@site/schema/beehiiv-answers';
import type { BeehiivAnswer } from '@site/schema/beehiiv-answers';
import { describe, expect, test } from 'vitest';
import { classAnswer, readRetryAfterMs } from './beehiiv.answers.ts';

const answer = (status: number, body: unknown = {}, headers: Record<string, string> = {}) =>
  ({
    kind: 'answer',
    status,
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }) as const;

const record = (status: string) => ({ data: { id: 'sub_1', email: 'a@b.example', status } });
const refusal = (message: string) => ({
  status: 400,
  statusText: 'bad_request',
  errors: [{ message, code: 'X' }],
});

const ANSWERS = [
  ['add', 200, record('active'), 'accepted', 'accepted'],
  ['add', 201, record('validating'), 'accepted', 'accepted'],
  ['add', 201, record('a status of tomorrow'), 'accepted', 'accepted'],
  ['add', 201, record('invalid'), 'permanent', 'email-rejected'],
  ['add', 400, refusal('missing required parameters: email'), 'permanent', 'request-refused'],
  ['add', 422, refusal('email is invalid'), 'permanent', 'email-invalid'],
  ['add', 401, {}, 'configuration', 'key-refused'],
  ['add', 403, refusal('Your plan does not include this'), 'configuration', 'key-not-allowed'],
  ['add', 403, '<html>blocked</html>', 'transient', 'blocked'],
  ['add', 403, {}, 'transient', 'blocked'],
  ['add', 404, {}, 'configuration', 'publication-unknown'],
  ['find', 404, {}, 'accepted', 'not-subscribed'],
  ['remove', 404, {}, 'accepted', 'not-subscribed'],
  ['remove', 204, '', 'accepted', 'accepted'],
  ['tier', 404, {}, 'permanent', 'tier-not-subscribed'],
  ['update', 404, {}, 'transient', 'subscriber-gone'],
  ['add', 408, {}, 'transient', 'timed-out'],
  ['add', 409, {}, 'permanent', 'request-refused'],
  ['add', 429, {}, 'rate-limited', 'rate-limited'],
  ['add', 500, {}, 'transient', 'server-error'],
  ['add', 502, '', 'transient', 'server-error'],
  ['add', 503, '<html>down</html>', 'transient', 'blocked'],
  ['add', 400, '<html>already</html>', 'transient', 'blocked'],
  ['add', 401, '\n<!doctype html>', 'transient', 'blocked'],
  ['find', 404, '<html>not here</html>', 'transient', 'blocked'],
  ['add', 429, '<html>slow down</html>', 'transient', 'blocked'],
  ['add', 504, '', 'transient', 'server-error'],
  ['add', 599, '', 'transient', 'server-error'],
  ['add', 200, '<html>hello</html>', 'transient', 'unreadable'],
  ['add', 200, '{"data":{"id":"sub_1"', 'transient', 'unreadable'],
  ['add', 302, '', 'transient', 'unexpected'],
  ['add', 200, record('act\0ive'), 'transient', 'unreadable'],
  ['add', 200, record('x'.repeat(5_000)), 'transient', 'unreadable'],
] as const;

describe('classes of answers', () => {
  test.each(ANSWERS)(
    '%s answered %i with %j is %s: %s',
    (asked, status, body, expectedClass, reason) => {
      expect(classAnswer(asked, answer(status, body))).toMatchObject({
        class: expectedClass,
        reason,
      });
    },
  );

  test('this test tries each status in the table of answers', () => {
    const named = Object.values<BeehiivAnswer>(BEEHIIV_ANSWERS).flatMap(
      ({ statuses = [] }) => statuses,
    );

    expect(named.filter((status) => !ANSWERS.some(([, tried]) => tried === status))).toEqual([]);
  });

  test('an acceptance describes the subscriber’s status in our words', () => {
    const say = (status: string) => classAnswer('add', answer(201, record(status))).message;

    expect(say('validating')).toBe('Beehiiv accepted it and began to check the email');
    expect(say('new_status')).toBe('Beehiiv accepted it (new_status)');
  });

  test('a refused setting is named as the one to correct', () => {
    expect(classAnswer('add', answer(401)).setting).toBe('BEEHIIV_API_KEY');
    expect(classAnswer('add', answer(404)).setting).toBe('BEEHIIV_PUBLICATION_ID');
  });

  test('the answer to an addition is marked', () => {
    const asked = (['add', 'update', 'find'] as const).map(
      (what) => classAnswer(what, answer(200, record('active'))).hasAdded,
    );

    expect(asked).toEqual([true, false, false]);
  });

  test('"already subscribed" is recognised', () => {
    expect(classAnswer('add', answer(400, refusal('Email has already been taken'))).reason).toBe(
      'already-subscribed',
    );
    expect(classAnswer('add', answer(409, refusal('already subscribed'))).reason).toBe(
      'already-subscribed',
    );
    expect(classAnswer('add', answer(400, refusal('email is malformed'))).reason).toBe(
      'request-refused',
    );
  });

  test('an outcome counts as known only if the request cannot have arrived', () => {
    const refused = classAnswer('add', {
      kind: 'no-answer',
      code: 'ECONNREFUSED',
      mayHaveArrived: false,
    });
    const reset = classAnswer('add', {
      kind: 'no-answer',
      code: 'ECONNRESET',
      mayHaveArrived: true,
    });

    expect([
      refused.isOutcomeKnown,
      reset.isOutcomeKnown,
      classAnswer('add', answer(500)).isOutcomeKnown,
    ]).toEqual([true, false, false]);
  });
});

describe('readRetryAfterMs', () => {
  const date = 'Fri, 20 Nov 2026 09:00:00 GMT';
  const at = Date.parse(date) / 1_000;

  test.each([
    [{ 'ratelimit-reset': String(at + 30), date }, 30_000],
    [{ 'ratelimit-reset': String(at + 9_999), date }, 300_000],
    [{ 'ratelimit-reset': String(at - 5), date }, 1_000],
    [{ 'ratelimit-reset': '45', date }, 45_000],
    [{ 'ratelimit-reset': 'soon', date }, 60_000],
    [{ 'ratelimit-reset': '' }, 60_000],
    [{}, 60_000],
  ])(
    'after an answer with %j, the next request waits %i ms',
    (headers: Record<string, string>, delayMs) => {
      expect(readRetryAfterMs(headers)).toBe(delayMs);
    },
  );
});
