import type { Database } from '@site/platform/database/connect';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';

/** Counts presses of the two upsell buttons. Stores nothing about the person. */
export function trackRoutes({ db }: { db: Database }): Route[] {
  return [
    route('POST /api/track', async ({ body }) => {
      await db('tracked_events').insert(body);
    }),
  ];
}
