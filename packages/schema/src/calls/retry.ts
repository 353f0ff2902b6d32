import { z } from 'zod';
import type { Call, CallName } from './call.ts';
import { count, instant, leadIds } from './request-parts.ts';
import { leadFilterQuery } from './lead-filter.ts';

/** The failed leads of a bulk retry: a filter's, a selection, or the latest failures in a row. */
export const retryFilter = leadFilterQuery.safeExtend({
  ids: leadIds.optional(),
  failedInRefusalPause: z.boolean().optional(),
  /** Leaves out leads whose email was refused, because it would be refused again. */
  withoutInvalid: z.boolean().optional(),
});
export type RetryFilter = z.output<typeof retryFilter>;

/** The number of retried leads. Skipped leads were sent or do not exist. */
export const leadRetryAnswer = z.object({ retried: count, skipped: count });
export type LeadRetryAnswer = z.infer<typeof leadRetryAnswer>;

export const retryEstimate = z.object({
  count,
  /** Leads whose email was refused, and would be refused again, even if they are left out. */
  invalid: count,
  /**
   * Milliseconds at the current rate, for these leads and all leads already waiting. Null without a
   * rate limit.
   */
  estimateMs: count.nullable(),
});
export type RetryEstimate = z.infer<typeof retryEstimate>;

export const bulkRetry = z.object({
  id: z.uuid(),
  operator: z.string(),
  filter: z.record(z.string(), z.unknown()),
  total: count,
  /** The leads are sent, failed again, waiting or not retried: these four add up to the total. */
  sent: count,
  failed: count,
  waiting: count,
  notRetried: count,
  createdAt: instant,
  /** A stopped bulk retry is finished once the leads without an attempt are failed again. */
  stoppedAt: instant.nullable(),
  finishedAt: instant.nullable(),
});
export type BulkRetry = z.infer<typeof bulkRetry>;

export const BULK_RETRIES_SHOWN = 20;

export const retryCalls = {
  'POST /api/admin/leads/retry': {
    id: 'retryLeads',
    summary: 'Retry leads now',
    description:
      'Named leads are due at once. A filter starts a bulk retry, whose leads wait behind all ' +
      'others; one bulk retry is open at a time. With `dryRun` nothing changes: the ' +
      'answer has the number of leads and the time they would take.',
    body: z
      .object({
        ids: leadIds.optional(),
        filter: retryFilter.optional(),
        /** Returns only the number of leads and the duration of a retry. */
        dryRun: z.boolean().optional(),
        withQuarantined: z.boolean().optional(),
      })
      .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
        error: 'Name either ids or a filter',
        path: ['ids'],
      }),
    answers: {
      200: {
        schema: z.union([leadRetryAnswer, retryEstimate]),
      },
      202: { schema: bulkRetry },
    },
    problems: ['nothing-to-retry', 'bulk-retry-running'],
  },
  'GET /api/admin/bulk-retries': {
    id: 'listBulkRetries',
    isForViewer: true,
    summary: 'Bulk retries, newest first',
    answers: {
      200: {
        description: `At most ${BULK_RETRIES_SHOWN} bulk retries`,
        schema: z.object({ bulkRetries: z.array(bulkRetry) }),
      },
    },
  },
  'POST /api/admin/bulk-retries/:id/stop': {
    id: 'stopBulkRetry',
    summary: 'Stop a bulk retry',
    description:
      'Answers at once. A worker then makes leads without an attempt since failed again; the ' +
      'others carry on.',
    params: z.object({ id: z.uuid().describe('The bulk retry’s id') }),
    answers: { 200: { schema: bulkRetry } },
    problems: ['not-found', 'bulk-retry-over'],
  },
} satisfies Record<CallName, Call>;
