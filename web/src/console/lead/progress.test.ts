import { expect, test } from 'vitest';
import { toPlaceName } from '@site/schema/labels';
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

const DUE = { nextAttemptAt: '2025-12-03T09:31:12Z' };
const OVERDUE = { nextAttemptAt: '2025-12-03T09:30:59Z' };
const SENT = { beehiivStatus: 'sent', beehiivSentAt: '2025-12-03T09:29:00Z' } as const;
const FAILED = { beehiivStatus: 'failed', failedAt: '2025-12-03T09:29:00Z' } as const;

test.each<[Parameters<typeof buildProgress>[0], Parameters<typeof toProgressText>[2], string]>([
  [DUE, undefined, 'Next attempt in 12 seconds'],
  [OVERDUE, undefined, 'On its way'],
  [{}, undefined, 'Waits for Beehiiv'],
  [DUE, 'pause', 'Waits, sync paused'],
  [DUE, 'outage', 'Waits for Beehiiv'],
  [SENT, undefined, 'Accepted · 09:29'],
  [{ ...SENT, subscriberStatus: 'active' }, undefined, 'Confirmed · 09:29'],
  [{ ...SENT, subscriberStatus: 'a_new_word' }, undefined, 'a_new_word · 09:29'],
  [{ ...SENT, submittedAt: '2025-12-01T10:00:00Z' }, undefined, 'Accepted · 3 Dec, 09:29'],
  [FAILED, undefined, 'Permanent failure · 09:29'],
  [{ ...FAILED, failedAt: null }, undefined, 'Permanent failure · 08:59'],
  [{ ...FAILED, beehiivReason: 'email-invalid' }, undefined, 'Email is invalid · 09:29'],
  [{ ...FAILED, beehiivReason: 'a-new-word' }, undefined, 'a-new-word · 09:29'],
  [{ ...FAILED, quarantineReason: 'hidden field filled' }, undefined, 'Hidden field filled'],
])('the progress of a lead with %j during %s is "%s"', (given, halt, text) => {
  expect(toProgressText(buildProgress(given), now, halt)).toBe(text);
});

test('unknown parts of a place are left out', () => {
  expect(toPlaceName({ city: 'London', region: 'England', country: 'GB' })).toBe('London, GB');
  expect(toPlaceName({ city: null, region: 'Bayern', country: 'DE' })).toBe('Bayern, DE');
  expect(toPlaceName({ city: null, region: null, country: null })).toBeUndefined();
});
