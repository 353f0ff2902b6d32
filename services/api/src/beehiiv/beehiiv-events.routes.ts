import type { Database } from '@site/platform/database/connect';
import { recordBeehiivEvent } from '@site/platform/people/subscribers';
import type { RequestHandler } from 'express';
import { createHash, timingSafeEqual } from 'node:crypto';
import { problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';

/** Receives Beehiiv's events. Next: the worker looks the person up, `person.processor.ts`. */
export function beehiivEventRoutes({ db }: { db: Database }): Route[] {
  return [
    route('POST /api/beehiiv/events/:secret', async ({ body: { event_type: type, data } }) => {
      await recordBeehiivEvent(db, type === null ? null : (data?.email ?? null));
    }),
  ];
}

/**
 * Answers like any unknown URL unless the path is the secret, before the body is read. Compares in
 * constant time.
 */
export function requireEventSecret(secret: string | null): RequestHandler {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = secret === null ? null : digest(secret);
  return (req, _res, next) => {
    const given = digest(req.path.replaceAll('/', ''));
    if (expected === null || !timingSafeEqual(given, expected)) throw noSuchUrl();
    next();
  };
}

export const noSuchUrl = () => problem('not-found', { detail: 'The API has no such URL.' });
