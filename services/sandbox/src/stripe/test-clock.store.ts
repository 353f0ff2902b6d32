import type { Clock } from '../clock.ts';
import { epochSeconds } from '../clock.ts';
import { newId } from './ids.ts';

export type TestClock = ReturnType<typeof buildTestClock>;

const KEPT_SECONDS = 30 * 24 * 60 * 60;

export function buildTestClock(clock: Clock, input: { frozenTime: number; name: string | null }) {
  const now = epochSeconds(clock);
  return {
    id: newId('clock'),
    object: 'test_helpers.test_clock' as const,
    created: now,
    deletes_after: now + KEPT_SECONDS,
    frozen_time: input.frozenTime,
    livemode: false,
    name: input.name,
    status: 'ready' as const,
    status_details: {},
  };
}
