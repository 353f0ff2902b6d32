import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backoffMs, decide, isSignForAll } from './sync.policy.ts';
import { NO_FAILURE } from './situation.repository.ts';
import type { Judged, Situation } from './sync.policy.ts';

const BASE_MS = 30_000;
const DAY_MS = 86_400_000;
const CHANCE = { baseMs: BASE_MS, random: 0.5 };

const answer = (given: Partial<Judged>): Judged => ({
  class: 'transient',
  subscriber: null,
  ...given,
});
const situation = (given: Partial<Situation>): Situation => ({ ...NO_FAILURE, ...given });

const anySituation: fc.Arbitrary<Situation> = fc.record({
  attemptsSpent: fc.nat(100),
  failuresInRow: fc.integer({ min: 1, max: 100 }),
  isCounted: fc.boolean(),
  roundAgeMs: fc.nat(10 * DAY_MS),
  hasAddedSince: fc.boolean(),
  isOutage: fc.boolean(),
  isRefusalPause: fc.boolean(),
});

describe('decide', () => {
  test.each([
    ['accepted', {}, {}, { move: 'sent', subscriber: null }],
    ['permanent', {}, {}, { move: 'failed' }],
    [
      'permanent',
      {},
      { isRefusalPause: true },
      { move: 'wait', delayMs: null, spendsBudget: false },
    ],
    ['configuration', {}, {}, { move: 'wait', delayMs: 0, spendsBudget: false }],
    [
      'rate-limited',
      { retryAfterMs: 42_000 },
      {},
      { move: 'wait', delayMs: 42_000, spendsBudget: false },
    ],
    ['transient', {}, {}, { move: 'wait', delayMs: 22_500, spendsBudget: false }],
    ['transient', {}, { failuresInRow: 3 }, { move: 'wait', delayMs: 90_000, spendsBudget: false }],
    [
      'transient',
      {},
      { failuresInRow: 99 },
      { move: 'wait', delayMs: 675_000, spendsBudget: false },
    ],
    ['transient', {}, { isOutage: true }, { move: 'wait', delayMs: null, spendsBudget: false }],
    [
      'transient',
      {},
      { hasAddedSince: true, isOutage: true },
      { move: 'wait', delayMs: 22_500, spendsBudget: true },
    ],
    [
      'transient',
      {},
      { hasAddedSince: true, attemptsSpent: 2 },
      { move: 'wait', delayMs: 90_000, spendsBudget: true },
    ],
    [
      'transient',
      {},
      { hasAddedSince: true, attemptsSpent: 7, roundAgeMs: DAY_MS },
      { move: 'failed' },
    ],
  ] as const)('%s with %j in %j leads to %j', (answerClass, given, where, decision) => {
    expect(decide(answer({ class: answerClass, ...given }), situation(where), CHANCE)).toEqual(
      decision,
    );
  });

  test('an outage fails nobody, however long it lasts', () => {
    fc.assert(
      fc.property(anySituation, (given) => {
        const decision = decide(answer({}), { ...given, hasAddedSince: false }, CHANCE);
        expect(decision).toMatchObject({ move: 'wait', spendsBudget: false });
      }),
    );
  });

  test('a transient answer fails a lead after a day and eight spent attempts', () => {
    fc.assert(
      fc.property(anySituation, (given) => {
        const decision = decide(answer({}), given, CHANCE);
        const isSpent =
          given.hasAddedSince && given.roundAgeMs >= DAY_MS && given.attemptsSpent + 1 >= 8;
        expect(decision.move).toBe(isSpent ? 'failed' : 'wait');
      }),
    );
  });
});

test('each lead that has spent no budget counts once towards an outage', () => {
  fc.assert(
    fc.property(
      anySituation,
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      (given, round, isPremium) => {
        const lead = { round, isPremium };
        const isFirstHand = given.attemptsSpent === 0 && !given.hasAddedSince && !given.isCounted;
        expect(isSignForAll(answer({}), given, lead)).toBe(isFirstHand);
        expect(isSignForAll(answer({ class: 'permanent' }), given, lead)).toBe(
          round === 1 && !isPremium,
        );
        expect(isSignForAll(answer({ class: 'rate-limited' }), given, lead)).toBe(false);
      },
    ),
  );
});

describe('backoffMs', () => {
  test('the backoff doubles from the base to six hours', () => {
    expect([0, 1, 2, 3, 10, 11, 5_000].map((attempts) => backoffMs(attempts, BASE_MS, 1))).toEqual([
      30_000, 30_000, 60_000, 120_000, 15_360_000, 21_600_000, 21_600_000,
    ]);
  });

  test('the backoff is randomised by at most half of a delay', () => {
    fc.assert(
      fc.property(
        fc.nat(5_000),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempts, random) => {
          const longest = backoffMs(attempts, BASE_MS, 1);
          const delayMs = backoffMs(attempts, BASE_MS, random);
          expect(delayMs).toBeGreaterThanOrEqual(longest / 2);
          expect(delayMs).toBeLessThanOrEqual(longest);
        },
      ),
    );
  });
});
