import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';
import { decide } from './sync.policy.ts';
import type { Situation } from './sync.policy.ts';

const BASE_MS = 30_000;
const DAY_MS = 86_400_000;

const situation = (given: Partial<Situation>): Situation => ({
  class: 'transient',
  subscriber: null,
  attemptsSpent: 0,
  roundAgeMs: 0,
  hasAcceptedSince: false,
  isPaused: false,
  baseMs: BASE_MS,
  random: 0.5,
  ...given,
});

const anySituation = fc.record({
  class: fc.constantFrom('accepted', 'permanent', 'configuration', 'transient', 'rate-limited'),
  subscriber: fc.constant(null),
  attemptsSpent: fc.nat(100),
  roundAgeMs: fc.nat(10 * DAY_MS),
  hasAcceptedSince: fc.boolean(),
  isPaused: fc.boolean(),
  baseMs: fc.constant(BASE_MS),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
}) satisfies fc.Arbitrary<Situation>;

describe('decide', () => {
  test.each([
    ['accepted', {}, { move: 'sent', subscriber: null }],
    ['permanent', {}, { move: 'failed' }],
    ['permanent', { isPaused: true }, { move: 'wait', delayMs: 0, spendsBudget: false }],
    ['configuration', {}, { move: 'wait', delayMs: 0, spendsBudget: false }],
    ['rate-limited', { retryAfterMs: 42_000 }, { move: 'wait', delayMs: 42_000, spendsBudget: false }],
    ['transient', {}, { move: 'wait', delayMs: 22_500, spendsBudget: true }],
    ['transient', { attemptsSpent: 7, roundAgeMs: DAY_MS, hasAcceptedSince: true }, { move: 'failed' }],
  ] as const)('%s with %j is %j', (answerClass, given, decision) => {
    expect(decide(situation({ class: answerClass, ...given }))).toEqual(decision);
  });

  test('an outage fails nobody, however long it lasts', () => {
    fc.assert(
      fc.property(anySituation, (given) => {
        const decision = decide({ ...given, class: 'transient', hasAcceptedSince: false });
        expect(decision.move).toBe('wait');
      }),
    );
  });

  test('a transient answer fails a lead only after a day and eight attempts', () => {
    fc.assert(
      fc.property(anySituation, (given) => {
        const decision = decide({ ...given, class: 'transient' });
        if (decision.move === 'failed') {
          expect(given.roundAgeMs).toBeGreaterThanOrEqual(DAY_MS);
          expect(given.attemptsSpent + 1).toBeGreaterThanOrEqual(8);
        }
      }),
    );
  });

  test('a failure that is not the lead’s own spends no budget', () => {
    fc.assert(
      fc.property(anySituation, (given) => {
        const decision = decide(given);
        const isOwnFault = given.class === 'transient' && !given.isPaused;
        if (decision.move === 'wait') expect(decision.spendsBudget).toBe(isOwnFault);
      }),
    );
  });
});

describe('backoffMs', () => {
  test('doubles from the base to six hours', () => {
    expect([1, 2, 3, 10, 11, 5_000].map((attempts) => backoffMs(attempts, BASE_MS, 1))).toEqual([
      30_000, 60_000, 120_000, 15_360_000, 21_600_000, 21_600_000,
    ]);
  });

  test('randomises at most half of a delay', () => {
    fc.assert(
      fc.property(fc.nat(5_000), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (attempts, random) => {
        const longest = backoffMs(attempts, BASE_MS, 1);
        const delayMs = backoffMs(attempts, BASE_MS, random);
        expect(delayMs).toBeGreaterThanOrEqual(longest / 2);
        expect(delayMs).toBeLessThanOrEqual(longest);
      }),
    );
  });
});
