import { describe, expect, test } from 'vitest';
import { describePlace, describeProgress } from './lead-labels.ts';

const now = new Date('2025-12-03T09:31:00Z');

function buildProgress(given: Partial<Parameters<typeof describeProgress>[0]>): Parameters<typeof describeProgress>[0] {
  return {
    beehiivStatus: 'pending',
    beehiivResponse: null,
    beehiivSentAt: null,
    subscriberStatus: null,
    nextAttemptAt: null,
    quarantineReason: null,
    submittedAt: '2025-12-03T08:58:00Z',
    updatedAt: '2025-12-03T08:59:00Z',
    ...given,
  };
}

describe('describeProgress', () => {
  test('a pending lead says when it is tried next', () => {
    const lead = buildProgress({ nextAttemptAt: '2025-12-03T09:31:12Z' });

    expect(describeProgress(lead, now, false)).toBe('next try in 12 s');
  });

  test('a pending lead that is due waits its turn in the queue', () => {
    expect(describeProgress(buildProgress({ nextAttemptAt: '2025-12-03T09:30:59Z' }), now, false)).toBe('in the queue');
  });

  test('while the sync is paused no pending lead promises a time', () => {
    expect(describeProgress(buildProgress({ nextAttemptAt: '2025-12-03T09:31:12Z' }), now, true)).toBe(
      'waits, sync paused',
    );
  });

  test.each([
    [null, '09:29, accepted'],
    ['active', '09:29, confirmed'],
    ['pending', '09:29, awaiting confirmation'],
    ['invalid', '09:29, rejected by Beehiiv'],
    ['a_new_word', '09:29, a_new_word'],
  ])('a sent lead whose subscriber is %s reads "%s"', (subscriberStatus, words) => {
    const lead = buildProgress({ beehiivStatus: 'sent', beehiivSentAt: '2025-12-03T09:29:00Z', subscriberStatus });

    expect(describeProgress(lead, now, false)).toBe(words);
  });

  test('a lead sent on a later day than it came names that day', () => {
    const lead = buildProgress({
      beehiivStatus: 'sent',
      beehiivSentAt: '2025-12-03T09:29:00Z',
      submittedAt: '2025-12-01T10:00:00Z',
    });

    expect(describeProgress(lead, now, false)).toBe('3 Dec, 09:29, accepted');
  });

  test.each([
    ['422: {"errors":[{"message":"invalid domain"}]}', '08:59, refused (422)'],
    ['500: internal error', '08:59, given up (500)'],
    ['no answer within 10 s', '08:59, refused'],
    [null, '08:59, refused'],
  ])('a failed lead answered %j reads "%s"', (beehiivResponse, words) => {
    expect(describeProgress(buildProgress({ beehiivStatus: 'failed', beehiivResponse }), now, false)).toBe(words);
  });

  test('a lead that looked like a robot’s says so', () => {
    const lead = buildProgress({ beehiivStatus: 'failed', quarantineReason: 'hidden field filled' });

    expect(describeProgress(lead, now, false)).toBe('08:59, quarantined');
  });
});

describe('describePlace', () => {
  test('what is not known is left out', () => {
    expect(describePlace({ city: 'London', region: 'England', country: 'GB' })).toBe('London, GB');
    expect(describePlace({ city: null, region: 'Bayern', country: 'DE' })).toBe('Bayern, DE');
    expect(describePlace({ city: null, region: null, country: null })).toBe('Unknown');
  });
});
