import { describe, expect, test } from 'vitest';
import { toPlaceName, toStatusText } from '@site/schema/labels';
import { toProgressText } from './progress.ts';

const now = new Date('2025-12-03T09:31:00Z');

function buildProgress(
  given: Partial<Parameters<typeof toProgressText>[0]>,
): Parameters<typeof toProgressText>[0] {
  return {
    beehiivStatus: 'pending',
    beehiivReason: null,
    failedAt: null,
    beehiivSentAt: null,
    subscriberStatus: null,
    nextAttemptAt: null,
    quarantineReason: null,
    submittedAt: '2025-12-03T08:58:00Z',
    updatedAt: '2025-12-03T08:59:00Z',
    ...given,
  };
}

describe('toProgressText', () => {
  test('a pending lead says when its next attempt is due', () => {
    const lead = buildProgress({ nextAttemptAt: '2025-12-03T09:31:12Z' });

    expect(toProgressText(lead, now, undefined)).toBe('Next attempt in 12 seconds');
  });

  test('a pending lead that is due is in the queue', () => {
    expect(
      toProgressText(buildProgress({ nextAttemptAt: '2025-12-03T09:30:59Z' }), now, undefined),
    ).toBe('On its way');
  });

  test('a pending lead without a time waits for Beehiiv', () => {
    expect(toProgressText(buildProgress({}), now, undefined)).toBe('Waits for Beehiiv');
  });

  test('while the sync is paused, a pending lead names no time', () => {
    expect(
      toProgressText(buildProgress({ nextAttemptAt: '2025-12-03T09:31:12Z' }), now, 'pause'),
    ).toBe('Waits, sync paused');
  });

  test('during an outage all pending leads read the same', () => {
    const lead = buildProgress({ nextAttemptAt: '2025-12-03T09:31:12Z' });

    expect(toProgressText(lead, now, 'outage')).toBe('Waits for Beehiiv');
  });

  test.each([
    [null, 'Accepted · 09:29'],
    ['active', 'Confirmed · 09:29'],
    ['pending', 'Awaiting confirmation · 09:29'],
    ['invalid', 'Rejected by Beehiiv · 09:29'],
    ['a_new_word', 'a_new_word · 09:29'],
  ])('a sent lead whose subscriber is %s reads "%s"', (subscriberStatus, label) => {
    const lead = buildProgress({
      beehiivStatus: 'sent',
      beehiivSentAt: '2025-12-03T09:29:00Z',
      subscriberStatus,
    });

    expect(toProgressText(lead, now, undefined)).toBe(label);
  });

  test('a failed lead names when it failed', () => {
    const lead = buildProgress({ beehiivStatus: 'failed', failedAt: '2025-12-03T09:29:00Z' });

    expect(toProgressText(lead, now, undefined)).toBe('Permanent failure · 09:29');
  });

  test('a lead sent on a later day names that day', () => {
    const lead = buildProgress({
      beehiivStatus: 'sent',
      beehiivSentAt: '2025-12-03T09:29:00Z',
      submittedAt: '2025-12-01T10:00:00Z',
    });

    expect(toProgressText(lead, now, undefined)).toBe('Accepted · 3 Dec, 09:29');
  });

  test.each([
    ['email-invalid', 'Email is invalid · 08:59'],
    ['server-error', 'Beehiiv had an error · 08:59'],
    ['email-rejected', 'Rejected by Beehiiv · 08:59'],
    ['no-answer', 'No answer from Beehiiv · 08:59'],
    ['a-word-of-tomorrow', 'a-word-of-tomorrow · 08:59'],
    [null, 'Permanent failure · 08:59'],
  ])('a failed lead whose reason is %s reads "%s"', (beehiivReason, label) => {
    expect(
      toProgressText(buildProgress({ beehiivStatus: 'failed', beehiivReason }), now, undefined),
    ).toBe(label);
  });

  test('a quarantined lead says why', () => {
    const lead = buildProgress({
      beehiivStatus: 'failed',
      quarantineReason: 'hidden field filled',
    });

    expect(`${toStatusText(lead)}: ${toProgressText(lead, now, undefined)}`).toBe(
      'Looks automated: Hidden field filled',
    );
  });
});

test('unknown parts of a place are left out', () => {
  expect(toPlaceName({ city: 'London', region: 'England', country: 'GB' })).toBe('London, GB');
  expect(toPlaceName({ city: null, region: 'Bayern', country: 'DE' })).toBe('Bayern, DE');
  expect(toPlaceName({ city: null, region: null, country: null })).toBeUndefined();
});
