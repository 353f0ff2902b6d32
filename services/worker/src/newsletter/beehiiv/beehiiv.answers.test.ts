import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classAnswer, readRetryAfterMs } from './beehiiv.answers.ts';
import type { Asked } from './beehiiv.answers.ts';

const answer = (status: number, body: unknown = {}, headers: Record<string, string> = {}) =>
  ({ kind: 'answer', status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }) as const;

const record = (status: string) => ({ data: { id: 'sub_1', email: 'a@b.example', status } });
const refusal = (message: string) => ({ status: 400, statusText: 'bad_request', errors: [{ message, code: 'X' }] });

describe('classAnswer', () => {
  test.each([
    ['add', 200, record('active'), 'accepted'],
    ['add', 201, record('validating'), 'accepted'],
    ['add', 201, record('a status of tomorrow'), 'accepted'],
    ['add', 201, record('invalid'), 'permanent'],
    ['add', 400, refusal('missing required parameters: email'), 'permanent'],
    ['add', 422, refusal('email is invalid'), 'permanent'],
    ['add', 401, {}, 'configuration'],
    ['add', 403, refusal('Your plan does not include this'), 'configuration'],
    ['add', 403, '<html>blocked</html>', 'transient'],
    ['add', 403, {}, 'transient'],
    ['add', 404, {}, 'configuration'],
    ['find', 404, {}, 'accepted'],
    ['update', 404, {}, 'transient'],
    ['add', 408, {}, 'transient'],
    ['add', 429, {}, 'rate-limited'],
    ['add', 500, {}, 'transient'],
    ['add', 503, '<html>down</html>', 'transient'],
    ['add', 200, '<html>hello</html>', 'transient'],
    ['add', 200, '{"data":{"id":"sub_1"', 'transient'],
    ['add', 302, '', 'transient'],
    ['add', 200, record('act\0ive'), 'transient'],
    ['add', 200, record('x'.repeat(5_000)), 'transient'],
  ] as const)('%s answered %i with %j is %s', (asked, status, body, expected) => {
    expect(classAnswer(asked, answer(status, body)).class).toBe(expected);
  });

  test('names the setting to correct', () => {
    expect(classAnswer('add', answer(401)).setting).toBe('BEEHIIV_API_KEY');
    expect(classAnswer('add', answer(404)).setting).toBe('BEEHIIV_PUBLICATION_ID');
  });

  test('marks the answer to an addition', () => {
    const asked = (['add', 'update', 'find'] as const).map(
      (what) => classAnswer(what, answer(200, record('active'))).hasAdded,
    );

    expect(asked).toEqual([true, false, false]);
  });

  test('recognises "already subscribed"', () => {
    expect(classAnswer('add', answer(400, refusal('Email has already been taken'))).saysAlreadyThere).toBe(true);
    expect(classAnswer('add', answer(409, refusal('already subscribed'))).saysAlreadyThere).toBe(true);
    expect(classAnswer('add', answer(400, refusal('email is malformed'))).saysAlreadyThere).toBe(false);
  });

  test('treats the outcome as known only if the request cannot have arrived', () => {
    const refused = classAnswer('add', { kind: 'no-answer', code: 'ECONNREFUSED', mayHaveArrived: false });
    const reset = classAnswer('add', { kind: 'no-answer', code: 'ECONNRESET', mayHaveArrived: true });

    expect([refused.isOutcomeKnown, reset.isOutcomeKnown, classAnswer('add', answer(500)).isOutcomeKnown]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('has a class for every answer', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Asked>('add', 'find', 'update'),
        fc.integer({ min: 100, max: 599 }),
        fc.string(),
        (asked, status, body) => {
          const { class: answerClass, message } = classAnswer(asked, answer(status, body));
          expect(answerClass).toMatch(/^(accepted|permanent|configuration|transient|rate-limited)$/);
          expect(message).not.toBe('');
        },
      ),
    );
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
  ])('%j waits %i ms', (headers: Record<string, string>, delayMs) => {
    expect(readRetryAfterMs(headers)).toBe(delayMs);
  });
});
