import type { Database } from '@site/platform/database/connect';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { storeTrackedEvent } from './track.repository.ts';

/** Counts presses of the two upsell buttons. Stores nothing about the person. */
export function trackRoutes({ db }: { db: Database }): Route[] {
  return [
    route('POST /api/track', async ({ body }) => {
      await storeTrackedEvent(db, body);
    }),
  ];
}
