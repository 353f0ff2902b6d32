import { z } from 'zod';

/** How the sync is, in one word. `running` only while a worker has been seen and what is due is being sent. */
export const SYNC_STATES = [
  'not-set-up',
  'cannot-write',
  'unknown',
  'no-worker',
  'paused',
  'outage',
  'stalled',
  'running',
] as const;
export type SyncState = (typeof SYNC_STATES)[number];

/** Everything that can be wrong, the gravest first. What is not a state itself lets the sync run. */
export const CONDITION_KINDS = [
  'not-set-up',
  'cannot-write',
  'unknown',
  'no-worker',
  'paused',
  'outage',
  'stalled',
  'pending-too-long',
  'leads-failed',
  'not-compared',
  'loop-stopped',
  'redis-unavailable',
  'stripe-unavailable',
  'mail-failing',
] as const;
export type ConditionKind = (typeof CONDITION_KINDS)[number];

export const syncCondition = z.object({
  kind: z.enum(CONDITION_KINDS),
  since: z.iso.datetime(),
  /** One sentence or two. Holds no personal data. */
  text: z.string(),
});

/** What to do about it. */
export const REMEDIES: Record<ConditionKind, string> = {
  'not-set-up': 'Run: npm run migrate',
  'cannot-write': 'Free the disk of Postgres, or connect to the server that may write.',
  unknown: 'Look at the load of Postgres.',
  'no-worker': 'Start the worker. Its log says why it stopped.',
  paused: 'Correct the setting, then restart the worker.',
  outage: 'Nothing: the sync goes on when Beehiiv answers.',
  stalled: 'The worker restarts after two minutes. If that does not help, look at its log.',
  'pending-too-long': 'Show the oldest leads in the console, and look at their attempts.',
  'leads-failed': 'Show the failed leads in the console.',
  'not-compared': 'Show the differences in the console: they say why the last comparison failed.',
  'loop-stopped': 'Restart the worker.',
  'redis-unavailable': 'Start Redis, and check REDIS_URL.',
  'stripe-unavailable': 'Look at status.stripe.com, and check STRIPE_SECRET_KEY.',
  'mail-failing': 'Run: npm run doctor. It says what is wrong with SMTP_URL.',
};
