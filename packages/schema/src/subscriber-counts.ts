import { z } from 'zod';

const count = z.number().int();

/**
 * The parts of the counter Beehiiv Sent: sent leads by their subscriber's state at Beehiiv, of the same moment. Their
 * sum is smaller only if `isCapped`.
 */
export const subscriberCounts = z.object({
  confirmed: count,
  awaiting: count,
  checking: count,
  rejected: count,
  unsubscribed: count,
  /** Accepted with a status that has no name here, or with none. */
  other: count,
  /** True if more leads are sent than are counted. */
  isCapped: z.boolean(),
});
export type SubscriberCounts = z.infer<typeof subscriberCounts>;
