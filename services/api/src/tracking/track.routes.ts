import type { Database } from '@site/platform/database/connect';
import { trackBody } from '@site/schema/tracking';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';

/** Counts presses of the two upsell buttons. Stores nothing about the person. */
export function trackRoutes({ db }: { db: Database }): Route[] {
  return [
    route({
      call: 'POST /api/track',
      id: 'trackPress',
      summary: 'Count a press of an upsell button',
      isPublic: true,
      body: trackBody,
      answers: { 204: { description: 'Counted' } },
      problems: ['too-many-requests'],
      async handle({ body: { event, page }, res }) {
        await db('tracked_events').insert({ event, page });
        res.status(204).end();
      },
    }),
  ];
}
