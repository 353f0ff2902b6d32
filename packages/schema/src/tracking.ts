import { z } from 'zod';

export const TRACK_EVENTS = ['cta-monthly-15', 'cta-annual-25'] as const;
const TRACK_PAGES = ['sample-sent'] as const;

/** `POST /api/track`: a click on one of the two upsell buttons. Contains no personal data. */
export const trackBody = z.object({
  event: z.enum(TRACK_EVENTS, { error: `Must be one of ${TRACK_EVENTS.join(', ')}` }),
  page: z.enum(TRACK_PAGES, { error: `Must be one of ${TRACK_PAGES.join(', ')}` }),
});
