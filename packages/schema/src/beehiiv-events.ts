import { z } from 'zod';

/*
 * Beehiiv's events about subscriptions and tiers. The worker registers for them, the API receives
 * them, and the sandbox sends them.
 */

export const BEEHIIV_EVENT_TYPES = [
  'subscription.created',
  'subscription.confirmed',
  'subscription.deleted',
  'subscription.upgraded',
  'subscription.downgraded',
  'subscription.paused',
  'subscription.resumed',
  'subscription.tier.created',
  'subscription.tier.deleted',
  'subscription.tier.paused',
  'subscription.tier.resumed',
] as const;
export type BeehiivEventType = (typeof BEEHIIV_EVENT_TYPES)[number];

/** The path of our webhook, without its secret. */
export const BEEHIIV_EVENTS_PATH = '/api/beehiiv/events/';

/**
 * An event is unsigned, so it is only a hint whom to look up. Other types, and an event without a
 * usable email, become null.
 */
export const beehiivEvent = z.object({
  event_type: z.enum(BEEHIIV_EVENT_TYPES).nullable().catch(null),
  data: z
    .object({
      email: z
        .string()
        .max(320)
        .refine((text) => !text.includes('\0')),
    })
    .nullable()
    .catch(null),
});
