import { z } from 'zod';
import { CONDITION_KINDS, SYNC_STATES } from '../conditions.ts';
import type { Call, CallName } from './call.ts';
import { count, instant } from './request-parts.ts';

/** `GET /api/admin/sync`: the state of the sync, for the health strip. */
export const syncHealthAnswer = z.object({
  state: z.enum(SYNC_STATES),
  /** The conditions, the gravest first. */
  conditions: z.array(
    z.object({
      kind: z.enum(CONDITION_KINDS),
      /** The cause, for kinds with several causes. */
      cause: z.string().optional(),
      since: instant,
      /** One sentence or two. Holds no personal data. */
      text: z.string(),
      /** The tone on the strip. The strip leaves out a condition without a tone. */
      strip: z.enum(['failed', 'pending', 'none']).optional(),
    }),
  ),
  pending: count,
  oldestPendingAt: instant.nullable(),
  /** The setting that paused the sync. */
  pause: z.object({ setting: z.string() }).nullable(),
  lastAcceptedAt: instant.nullable(),
  /**
   * Runs in the last minute, and the workers' limit of requests a minute. Null without a limit or
   * before the first run.
   */
  rate: z.object({ lastMinute: count, allowed: count.nullable() }),
  /** The newest answer of the last day that neither accepted nor refused a lead. */
  lastError: z.object({ at: instant, message: z.string() }).nullable(),
  /**
   * The time of the last comparison: no stored status is older. Null before the first comparison.
   */
  statusesAsOf: instant.nullable(),
  /** Our custom fields that the publication lacks. */
  missingFields: z.array(z.string()),
  /** Leads failed by the latest failures in a row, perhaps because of one wrong setting. */
  failedInRefusalPause: z.object({ count }).nullable(),
  /** True with at most `MAX_FIRST_LEADS` leads. */
  isFirstRun: z.boolean(),
});
export type SyncHealthAnswer = z.infer<typeof syncHealthAnswer>;

/** The days of `GET /api/admin/sync/delivery`, today included, in Europe/London. */
export const DELIVERY_DAYS = 14;
export const MAX_OUTAGES = 20;

/** `GET /api/admin/sync/delivery`: the leads of the last `DELIVERY_DAYS` days, by outcome. */
export const deliveryAnswer = z.object({
  /** Every day, with its leads that are sent or failed now. */
  days: z.array(z.object({ day: z.iso.date(), sent: count, failed: count })),
  sentToday: count,
  /** Failed leads of these days, except quarantined leads. */
  failed: count,
  total: count,
  lastSentAt: instant.nullable(),
  /** Past outages, newest first, at most `MAX_OUTAGES`. */
  outages: z.array(
    z.object({ kind: z.enum(CONDITION_KINDS), since: instant, until: instant, waited: count }),
  ),
  workerSeenAt: instant,
  lastEventAt: instant.nullable(),
  /** When Beehiiv last sent an event. Null without a secret for its webhook. */
  beehiivNews: z.object({ lastEventAt: instant.nullable(), isRefused: z.boolean() }).nullable(),
  /**
   * When the newest good backup ended, and when the settings were last copied. Null where the stack
   * makes no backups.
   */
  backup: z
    .object({
      lastAt: instant.nullable(),
      isElsewhere: z.boolean(),
      settingsAt: instant.nullable(),
    })
    .nullable(),
  /** When the last email to the owner was sent. Null if no mail server is set up. */
  mail: z.object({ lastSentAt: instant.nullable() }).nullable(),
});
export type DeliveryAnswer = z.infer<typeof deliveryAnswer>;

/** An event of `GET /api/admin/events`. Holds no personal data. */
export const liveEvent = z.object({
  changed: z.array(z.enum(['leads', 'sync', 'bulk-retry', 'money'])),
});
export type LiveEvent = z.infer<typeof liveEvent>;

export const syncCalls = {
  'GET /api/admin/sync': {
    id: 'readSyncHealth',
    isForViewer: true,
    summary: 'The state of the sync',
    answers: { 200: { schema: syncHealthAnswer } },
  },
  'GET /api/admin/sync/delivery': {
    id: 'readDelivery',
    isForViewer: true,
    summary: 'The delivery of leads to Beehiiv in the last days',
    answers: {
      200: {
        schema: deliveryAnswer,
      },
    },
  },
  'POST /api/admin/sync/probe': {
    id: 'probeNow',
    summary: 'Ask Beehiiv now whether a pause or an outage is over',
    description:
      'A worker sends the probe within seconds, and the few leads with a retry time of their own.',
    answers: { 202: { description: 'Asked for, or not needed' } },
  },
  'GET /api/admin/events': {
    id: 'followChanges',
    isForViewer: true,
    summary: 'Changes as they happen',
    description:
      'Server-sent events: `change` with a LiveEvent. After a gap, load everything again. ' +
      'Ends with the session.',
    isBackground: true,
    answers: { 200: { contentType: 'text/event-stream' } },
  },
} satisfies Record<CallName, Call>;
