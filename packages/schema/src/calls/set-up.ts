import { z } from 'zod';
import type { Call, CallName } from './call.ts';
import { instant } from './request-parts.ts';

/** So few leads may be the owner's own. With more, Sync and doctor report an incomplete set-up. */
export const MAX_FIRST_LEADS = 9;

/** `GET /api/admin/set-up`: the steps to take before the first visitor comes. */
export const setUpAnswer = z.object({
  /**
   * Null if key and prices work. Otherwise the failure, and the part that it concerns: key, prices
   * or time.
   */
  stripe: z.object({
    failure: z.object({ text: z.string(), needs: z.enum(['key', 'prices', 'time']) }).nullable(),
    isLive: z.boolean(),
  }),
  lastEventAt: instant.nullable(),
  /** Beehiiv's last answer to a worker, as a reason. Null before the first answer. */
  beehiiv: z.object({ answer: z.string().nullable(), checkedAt: instant.nullable() }),
  /** Null before Beehiiv has accepted the key. */
  missingFields: z.array(z.string()).nullable(),
  isMailSetUp: z.boolean(),
  firstSentAt: instant.nullable(),
  /** The last backup. Null if this installation makes none. */
  backup: z.object({ isElsewhere: z.boolean() }).nullable(),
  /** The caller's own. */
  hasTwoStepLogin: z.boolean(),
});
export type SetUpAnswer = z.infer<typeof setUpAnswer>;

export const setUpCalls = {
  'GET /api/admin/set-up': {
    id: 'readSetUp',
    isForViewer: true,
    summary: 'The set-up steps before the first visitor',
    description: 'Asks Stripe. The worker reports what concerns Beehiiv.',
    answers: { 200: { schema: setUpAnswer } },
  },
  'POST /api/admin/set-up/check': {
    id: 'checkSetUp',
    summary: 'Ask a worker to check Beehiiv’s key and custom fields now',
    answers: { 202: { description: 'Asked for: a worker answers within seconds' } },
  },
} satisfies Record<CallName, Call>;
