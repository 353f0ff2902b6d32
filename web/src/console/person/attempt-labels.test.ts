import type { SyncAttempt } from '@site/schema/calls/leads';
import { expect, test } from 'vitest';
import type { Halt } from '../lead/lead-labels.ts';
import { describeAttempt } from './attempt-labels.ts';

const now = new Date('2025-12-03T09:00:00Z');
const attempt = (given: Partial<SyncAttempt>): SyncAttempt => ({
  id: '0f2c1d3e-0000-4000-8000-000000000001',
  kind: 'push',
  round: 1,
  number: 1,
  startedAt: '2025-12-03T08:59:00Z',
  tookMs: 400,
  httpStatus: null,
  class: 'transient',
  message: 'Beehiiv answered 500: internal error',
  ...given,
});
const tell = (
  given: Partial<SyncAttempt>,
  lead: 'pending' | 'sent' | 'failed',
  more: {
    before?: string;
    following?: SyncAttempt;
    nextAttemptAt?: string;
    halt?: Halt;
    isCorrected?: boolean;
  } = {},
) =>
  describeAttempt(attempt(given), {
    lead: {
      beehiivStatus: lead,
      nextAttemptAt: more.nextAttemptAt ?? null,
      isCorrected: more.isCorrected ?? false,
    },
    following: more.following,
    before: more.before,
    now,
    halt: more.halt,
  }).sentence;

test('an answer like the one before is not repeated in full', () => {
  const before = 'Beehiiv answered 500: internal error';
  expect(tell({}, 'failed', { before })).toBe(
    'Beehiiv answered 500 again; failed for a day while other leads were accepted.',
  );
  expect(tell({}, 'failed', { before, isCorrected: true })).toBe(
    'Beehiiv answered 500 again; the address was corrected.',
  );
});

test('an attempt that was refused says why, and that it will not be retried', () => {
  const message = 'Beehiiv answered 422: the domain takes no mail';
  expect(tell({ class: 'permanent', message }, 'failed')).toBe(
    'Beehiiv answered 422: the domain takes no mail; will not retry.',
  );
});

test('an attempt that a wrong setting stopped says so in the past once the lead was sent', () => {
  const refused = {
    class: 'configuration',
    message: 'Beehiiv answered 401: Invalid API key',
  } as const;
  expect(tell(refused, 'pending')).toMatch(/; all leads wait until the setting is corrected\.$/);
  expect(tell(refused, 'pending', { following: attempt({}) })).toMatch(
    /; all leads waited until the setting was/,
  );
  expect(tell(refused, 'sent')).toMatch(/; all leads waited until the setting was corrected\.$/);
});

test('an attempt that failed temporarily says when it is or was retried', () => {
  expect(tell({}, 'pending', { nextAttemptAt: '2025-12-03T09:00:31Z' })).toMatch(
    /; retries at 09:00:31\.$/,
  );
  expect(
    tell({}, 'pending', { following: attempt({ startedAt: '2025-12-03T08:59:58Z' }) }),
  ).toMatch(/; retried after 58 s\.$/);
  expect(tell({}, 'pending')).toMatch(/; waits until Beehiiv works again\.$/);
  expect(tell({}, 'pending', { halt: 'pause' })).toMatch(/; waits until the sync resumes\.$/);
  const nextAttemptAt = '2025-12-03T09:00:31Z';
  expect(tell({}, 'pending', { halt: 'outage', nextAttemptAt })).toMatch(
    /; waits until Beehiiv works again/,
  );
});

test('an accepted attempt says what Beehiiv accepted: an address, or a change of list', () => {
  const accepted = {
    class: 'accepted',
    message: 'Beehiiv accepted it and began to check the address',
  } as const;
  expect(tell(accepted, 'sent')).toBe('Beehiiv accepted it and began to check the address.');
  const message = 'Beehiiv confirmed the paid list';
  expect(tell({ class: 'accepted', kind: 'tier', message }, 'sent')).toBe(
    `Change of list: ${message}.`,
  );
});

test('an attempt of an earlier round stays final when a later round starts', () => {
  const following = attempt({ round: 2 });
  expect(tell({ class: 'permanent' }, 'pending', { following })).toMatch(/; will not retry\.$/);
  expect(tell({}, 'failed')).toMatch(/; failed for a day/);
});

test('an attempt without an answer says what the next one does', () => {
  expect(
    tell(
      { class: 'unknown', message: 'The worker ended before the answer was recorded' },
      'pending',
    ),
  ).toBe(
    'The worker ended before the answer was recorded. Outcome unknown: the next attempt looks the address up first, so nothing is sent twice.',
  );
  expect(tell({ class: null, message: null }, 'pending')).toBe('Waiting for Beehiiv’s answer.');
});
