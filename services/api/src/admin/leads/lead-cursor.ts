import { z } from 'zod';
import { problem } from '../../http/problem.ts';
import type { Place } from './lead-list.repository.ts';

// Postgres has no year 0.
const place = z.tuple([z.iso.datetime().refine((at) => at >= '0001'), z.uuid()]);

export function toCursor(next: Place | null): string | null {
  return next ? Buffer.from(JSON.stringify([next.at, next.id])).toString('base64url') : null;
}

/** Reads the place that a cursor names. Returns null without one. Throws 422 for one that we did not make. */
export function parseCursor(cursor: string | undefined): Place | null {
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
