import { z } from 'zod';
import { problem } from '../../http/problem.ts';
import type { Place } from './lead-list.repository.ts';

// Postgres knows no year 0.
const place = z.tuple([z.iso.datetime().refine((at) => at >= '0001'), z.uuid()]);

export function toCursor(next: Place | null): string | null {
  return next ? Buffer.from(JSON.stringify([next.at, next.id])).toString('base64url') : null;
}

/** The place a cursor names; null for none. Throws 422 for one that we did not make. */
export function parseCursor(cursor: string | undefined): Place | null {
  if (cursor === undefined) return null;
  try {
    const [at, id] = place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { at, id };
  } catch (cause) {
    const message = 'This is no cursor of ours: leave it out to begin with the first page';
    throw problem(
      'fields-invalid',
      { detail: `cursor: ${message}.`, errors: [{ field: 'cursor', message }] },
      { cause },
    );
  }
}
