import { toJudged } from '@site/schema/beehiiv-answers';
import type { AnswerReason } from '@site/schema/beehiiv-answers';
import { describe, expect, test } from 'vitest';
import { decideDelay, nextStep } from './next-step.ts';
import type { Facts, Step } from './next-step.ts';

const premium = { kind: 'tier', tier: 'premium' } as const;
const paid = { ...premium, mustActivate: true };
const awaited = { ...premium, mustConfirm: true };
type Found = 'not looked up' | 'absent' | 'active' | 'pending' | 'inactive';

describe('the next step', () => {
  test.for<[rule: string, facts: Partial<Facts> & Pick<Facts, 'kind'>, found: Found, step: Step]>([
    ['4.8b', { kind: 'erasure' }, 'not looked up', 'look up'],
    ['4.8b', { kind: 'erasure' }, 'inactive', 'remove'],
    ['4.8b', { kind: 'erasure' }, 'absent', 'finish'],
    ['4.8b', { kind: 'erasure', isUsed: true }, 'not looked up', 'drop'],
    ['4.8b', { kind: 'erasure', isUsed: true }, 'active', 'drop'],
    ['3.7g', { kind: 'unsubscribe' }, 'not looked up', 'look up'],
    ['3.7g', { kind: 'unsubscribe' }, 'pending', 'unsubscribe'],
    ['3.7h', { kind: 'unsubscribe' }, 'inactive', 'finish'],
    ['3.7g', { kind: 'unsubscribe' }, 'absent', 'finish'],
    ['3.7g', { kind: 'unsubscribe', isUsed: true }, 'active', 'drop'],
    ['3.9', premium, 'not looked up', 'look up'],
    ['3.9', premium, 'active', 'set tier'],
    ['2.13a', premium, 'inactive', 'set tier'],
    ['2.13', paid, 'inactive', 'reactivate'],
    ['3.7h', { ...paid, tier: 'free' }, 'inactive', 'reactivate'],
    ['3.9b', premium, 'pending', 'activate'],
    ['2.13', awaited, 'pending', 'set tier'],
    ['3.9b', { ...awaited, mustActivate: true }, 'pending', 'activate'],
    ['3.9', { kind: 'tier', tier: 'free' }, 'pending', 'set tier'],
    ['3.9', { kind: 'tier', tier: 'free' }, 'absent', 'finish'],
    ['2.17', { kind: 'check', tier: 'premium', mustActivate: true }, 'not looked up', 'look up'],
    ['2.17', { kind: 'check', tier: 'premium', mustActivate: true }, 'inactive', 'finish'],
    ['2.17', { kind: 'check' }, 'absent', 'finish'],
    ['1.6a', { kind: 'consent' }, 'not looked up', 'deliver'],
    ['3.12a', { kind: 'add-again' }, 'not looked up', 'deliver'],
    ['3.12a', { kind: 'set-premium' }, 'not looked up', 'request tier'],
    ['3.12a', { kind: 'set-free' }, 'not looked up', 'request tier'],
  ])('%s: %o, %s: %s', ([, given, found, step]) => {
    const facts = {
      attempts: 0,
      isUsed: false,
      tier: null,
      mustActivate: false,
      mustConfirm: false,
      ...given,
    };
    const subscriber = found === 'absent' ? null : { id: 'sub_1', status: found };

    expect(nextStep(facts, found === 'not looked up' ? undefined : subscriber)).toBe(step);
  });
});

describe('the delay after an answer', () => {
  const LAST = 30_000 * 720;

  test.for<
    [rule: string, kind: Facts['kind'], attempts: number, AnswerReason, delayMs: number | null]
  >([
    ['3.9a', 'tier', 0, 'accepted', null],
    ['2.17', 'check', 0, 'request-refused', null],
    ['1.6a', 'consent', 3, 'request-refused', null],
    ['4.8b', 'erasure', 0, 'request-refused', 30_000],
    ['4.8b', 'erasure', 99, 'server-error', LAST],
    ['3.9a', 'tier', 1, 'tier-not-subscribed', 60_000],
    ['3.14', 'tier', 2, 'tier-not-subscribed', null],
    ['2.7b', 'tier', 2, 'server-error', 120_000],
    ['2.7a', 'tier', 7, 'key-refused', 0],
    ['2.7c', 'tier', 7, 'rate-limited', 5_000],
  ])('%s: %s, %i attempts before, %s: %s ms', ([, kind, attempts, reason, delayMs]) => {
    const answer = { ...toJudged(reason), subscriber: null, retryAfterMs: 5_000 };

    const given = decideDelay({ kind, attempts }, answer, {
      backoffBaseMs: 30_000,
      random: () => 1,
    });

    expect(given).toBe(delayMs);
  });

  test('3.7g: an unsubscription is done only if the answer shows it', () => {
    const decide = (status: string) =>
      decideDelay(
        { kind: 'unsubscribe', attempts: 0 },
        { ...toJudged('accepted'), subscriber: { id: 'sub_1', status } },
        { backoffBaseMs: 30_000, random: () => 1 },
      );

    expect([decide('inactive'), decide('active')]).toEqual([null, 30_000]);
  });
});
