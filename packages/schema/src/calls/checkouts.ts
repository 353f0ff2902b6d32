import { z } from 'zod';
import { BILLING_INTERVALS } from '../offer.ts';
import { withoutUnstorable } from '../text.ts';
import type { Call, CallName } from './call.ts';
import { moneyPeriodQuery } from './money.ts';
import { instant, pence } from './request-parts.ts';

/** At most this many abandoned checkouts of a period are read. */
export const MAX_ABANDONED_LISTED = 500;

/** `GET /api/admin/checkouts/abandoned`: the period's, once for each person, with their newest. */
const abandonedCheckoutsAnswer = z.object({
  people: z.array(
    z.object({
      id: z.string(),
      leadId: z.uuid().nullable(),
      email: z.string().nullable(),
      name: z.string().nullable(),
      startedAt: instant,
      /** The days of their other checkouts. */
      before: z.array(instant),
      /** The plan of the checkout. Null: opened before it was stored. */
      plan: z.enum(BILLING_INTERVALS).nullable(),
      pence: pence.nullable(),
      /** The origin of the visit. Null: no lead. */
      channel: z.string().nullable(),
      /** The time of their consent to email. Null: none. */
      agreedAt: instant.nullable(),
      recoveryUrl: z.string().nullable(),
      recoveryEndsAt: instant.nullable(),
      contactedAt: instant.nullable(),
    }),
  ),
  isCapped: z.boolean(),
});
export type AbandonedCheckoutsAnswer = z.infer<typeof abandonedCheckoutsAnswer>;

const checkoutParams = z.object({
  id: z.string().max(200).transform(withoutUnstorable).describe('The checkout’s id at Stripe'),
});

export const checkoutCalls = {
  'GET /api/admin/checkouts/abandoned': {
    id: 'listAbandonedCheckouts',
    summary: 'Abandoned checkouts by person, the newest first',
    query: moneyPeriodQuery,
    answers: {
      200: {
        description: `Of at most ${MAX_ABANDONED_LISTED} checkouts`,
        schema: abandonedCheckoutsAnswer,
      },
    },
  },
  'POST /api/admin/checkouts/:id/contacted': {
    id: 'markContacted',
    summary: 'Note that somebody who abandoned a checkout was contacted',
    description: 'Nothing is sent. Repeating it does no harm.',
    params: checkoutParams,
    answers: { 204: { description: 'Noted, now or before' } },
    problems: ['not-found'],
  },
  'DELETE /api/admin/checkouts/:id/contacted': {
    id: 'undoContacted',
    summary: 'Take back that somebody who abandoned a checkout was contacted',
    params: checkoutParams,
    answers: { 204: {} },
    problems: ['not-found'],
  },
} satisfies Record<CallName, Call>;
