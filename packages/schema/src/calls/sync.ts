import { z } from 'zod';
import { lead } from '../stored-lead.ts';
import { syncCondition, SYNC_STATES } from '../sync-state.ts';
import type { Call, CallName } from './call.ts';
import { instant } from './request-parts.ts';

/** `GET /api/admin/sync`: how the sync is doing, for the health strip. */
export const syncHealthAnswer = z.object({
  state: z.enum(SYNC_STATES),
  /** What is wrong now, the gravest first. */
  conditions: z.array(syncCondition),
  pending: z.number().int(),
  oldestPendingAt: instant.nullable(),
  pause: z.object({ reason: z.string(), setting: z.string(), since: instant, nextProbeAt: instant }).nullable(),
  /** Beehiiv fails for every lead. All wait, and none is lost. */
  outage: z.object({ since: instant, nextAttemptAt: instant.nullable() }).nullable(),
  lastAcceptedAt: instant.nullable(),
  /** Runs in the last minute, and the workers' limit of requests a minute. Null without a limit or before the first run. */
  rate: z.object({ lastMinute: z.number().int(), allowed: z.number().int().nullable() }),
  lastError: z.object({ at: instant, leadId: z.uuid(), message: z.string() }).nullable(),
  /** When Beehiiv's list was last compared: no stored status is older. Null before the first comparison. */
  statusesAsOf: instant.nullable(),
  /** Our custom fields that the publication lacks. */
  missingFields: z.array(z.string()),
  /** Leads failed by the latest failures in a row, which one wrong setting may have caused. */
  failedInRefusalPause: z.object({ count: z.number().int(), since: instant }).nullable(),
});
export type SyncHealthAnswer = z.infer<typeof syncHealthAnswer>;

/** An event of `GET /api/admin/events`: the current leads, and what else has changed. */
export const liveEvent = z.object({
  leads: z.array(lead),
  /** Ids of deleted leads. */
  gone: z.array(z.uuid()),
  /** True if there may be new leads. The list's counters give the number. */
  hasNew: z.boolean(),
  /** True if too much has changed to list. Reload everything. */
  isReload: z.boolean(),
  hasSyncChanged: z.boolean(),
  haveRunsChanged: z.boolean(),
  hasMoneyChanged: z.boolean(),
});
export type LiveEvent = z.infer<typeof liveEvent>;

export const syncCalls = {
  'GET /api/admin/sync': {
    id: 'readSyncHealth',
    summary: 'The state of the sync',
    answers: { 200: { description: 'State, what is wrong, backlog', schema: syncHealthAnswer } },
  },
  'POST /api/admin/sync/probe': {
    id: 'probeNow',
    summary: 'Ask Beehiiv now whether a pause or an outage is over',
    description: 'A worker sends the probe within seconds. Without a pause or an outage there is nothing to ask.',
    answers: { 202: { description: 'Asked for, or not needed' } },
  },
  'GET /api/admin/events': {
    id: 'followChanges',
    summary: 'Changes as they happen',
    description:
      'Server-sent events: `change` with a LiveEvent, and `place` when only the id has moved. Resumes after the header `Last-Event-ID` or the query `after`. Ends with the session.',
    isBackground: true,
    query: z.object({ after: z.string().optional().describe('The last event received, as Last-Event-ID') }),
    answers: { 200: { description: 'A stream without an end', contentType: 'text/event-stream' } },
  },
} satisfies Record<CallName, Call>;
