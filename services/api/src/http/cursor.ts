import { z } from 'zod';
import { fieldProblem } from './problem.ts';

/**
 * A place in a list: the last row seen. Exact to the microsecond, which a JavaScript Date is not.
 */
export type Place = { at: string; id: string };

/** Reads a place's time in SQL, exact to the microsecond. */
export const placeOf = (at: string) =>
  `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

// Postgres has no year 0. Rows without a time are at infinity.
const time = z.union([
  z.literal(['infinity', '-infinity']),
  z.iso.datetime().refine((at) => at >= '0001'),
]);

export function toCursor(next: Place | null): string | null {
  return next ? Buffer.from(JSON.stringify([next.at, next.id])).toString('base64url') : null;
}

/**
 * Reads the place that a cursor names. Returns null without a cursor. Throws 422 for a cursor that
 * we did not make.
 */
export function parseCursor(
  cursor: string | undefined,
  rowId: z.ZodType<string> = z.string().max(200),
): Place | null {
  if (cursor === undefined) return null;
  try {
    const [at, id] = z
      .tuple([time, rowId])
      .parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { at, id };
  } catch (cause) {
    throw fieldProblem('cursor', 'Invalid cursor: leave it out to start at the first page', {
      cause,
    });
  }
}
