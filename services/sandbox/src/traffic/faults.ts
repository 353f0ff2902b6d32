import { z } from 'zod';
import type { Target } from './request-log.ts';
import { TARGETS } from './request-log.ts';

export const FAULT_MODES = [
  'ok',
  'status',
  'hang',
  'reset',
  'slow',
  'rate-limit',
  'garbage',
  'half-json',
  'before-reset',
] as const;
export type FaultMode = (typeof FAULT_MODES)[number];

const DEFAULT_DELAY_MS = 3_000;

// A form sends every field as text, and an empty one as an empty string.
const optionalInteger = (name: string, min: number, max: number) => {
  const error = `${name} must be a whole number from ${min} to ${max}`;
  return z.preprocess((value) => {
    if (value === '' || value === null) return undefined;
    return typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  }, z.int(error).min(min, error).max(max, error).optional());
};

/** `POST /_control/faults`. */
export const faultBody = z.strictObject(
  {
    target: z.enum(TARGETS, { error: `target must be one of ${TARGETS.join(', ')}` }),
    mode: z.enum(FAULT_MODES, { error: `mode must be one of ${FAULT_MODES.join(', ')}` }),
    status: optionalInteger('status', 400, 599),
    times: optionalInteger('times', 1, 1_000_000),
    delayMs: optionalInteger('delayMs', 0, 600_000),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `Unknown field ${issue.keys.join(', ')}: a fault has target, mode, status, times and delayMs`
        : 'The body must be an object with target and mode',
  },
);
export type FaultBody = z.input<typeof faultBody>;

export type Fault = {
  mode: FaultMode;
  status: number;
  delayMs: number;
  /** The number of further requests that fail. Null: all until the fault is switched off. */
  timesLeft: number | null;
};

export type Faults = ReturnType<typeof createFaults>;

/** Keeps the current fault of each service. */
export function createFaults() {
  const active = new Map<Target, Fault>();

  return {
    set(body: z.output<typeof faultBody>): void {
      if (body.mode === 'ok') {
        active.delete(body.target);
        return;
      }
      active.set(body.target, {
        mode: body.mode,
        status: body.status ?? (body.mode === 'rate-limit' ? 429 : 500),
        delayMs: body.delayMs ?? DEFAULT_DELAY_MS,
        timesLeft: body.times ?? null,
      });
    },
    /** Returns the fault for this request, if any, and counts it. */
    take(target: Target): Fault | null {
      const fault = active.get(target);
      if (!fault) return null;
      if (fault.timesLeft !== null) {
        fault.timesLeft -= 1;
        if (fault.timesLeft <= 0) active.delete(target);
      }
      return fault;
    },
    current(target: Target): Fault | null {
      return active.get(target) ?? null;
    },
    clear() {
      active.clear();
    },
  };
}
