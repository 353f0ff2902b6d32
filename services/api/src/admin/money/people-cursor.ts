import { z } from 'zod';
import { problem } from '../../http/problem.ts';
import type { PeoplePlace } from './money-figures.repository.ts';

// Postgres has no year 0. Those without a time are at infinity.
const place = z.tuple([
  z.string().regex(/^(?:-?infinity|(?!0000)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?)$/u),
  z.string().max(200),
]);

export function toPeopleCursor(next: PeoplePlace | null): string | null {
  return next ? Buffer.from(JSON.stringify([next.at, next.id])).toString('base64url') : null;
}

/** Reads the place that a cursor names. Returns null without one. Throws 422 for one that we did not make. */
export function parsePeopleCursor(cursor: string | undefined): PeoplePlace | null {
  if (cursor === undefined) return null;
  try {
    const [at, id] = place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { at, id };
  } catch (cause) {
    const message = 'Invalid cursor: leave it out to start at the first page';
    throw problem(
      'fields-invalid',
      { detail: `cursor: ${message}.`, errors: [{ field: 'cursor', message }] },
      { cause },
    );
  }
}
