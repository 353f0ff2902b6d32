import { z } from 'zod';
import { BEEHIIV_STATUSES, FORM_TYPES, lead } from './lead.ts';

/** Query strings say "no filter" with an empty value as well as by leaving the name out. */
const absentWhenEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const day = z.iso.date({ error: 'Must be a date, YYYY-MM-DD' });

/** The one filter that list, counters and CSV share. Days are inclusive, in London. */
export const leadFilterQuery = z
  .object({
    formType: absentWhenEmpty(z.enum(FORM_TYPES, { error: `Must be one of ${FORM_TYPES.join(', ')}` })),
    startDate: absentWhenEmpty(day),
    endDate: absentWhenEmpty(day),
    status: absentWhenEmpty(z.enum(BEEHIIV_STATUSES, { error: `Must be one of ${BEEHIIV_STATUSES.join(', ')}` })),
    search: absentWhenEmpty(z.string().trim().max(200, 'At most 200 characters')),
  })
  .superRefine(({ startDate, endDate }, ctx) => {
    if (startDate && endDate && startDate > endDate) {
      ctx.addIssue({ code: 'custom', path: ['endDate'], message: 'The end date is before the start date' });
    }
  });
export type LeadFilter = z.output<typeof leadFilterQuery>;

export const LEAD_SORTS = ['newest', 'oldest'] as const;
export const LEADS_PER_PAGE = 50;

/** `GET /api/admin/leads`: the filter, an order and a place in it. */
export const leadListQuery = leadFilterQuery.safeExtend({
  sort: absentWhenEmpty(z.enum(LEAD_SORTS, { error: `Must be one of ${LEAD_SORTS.join(', ')}` })),
  cursor: absentWhenEmpty(z.string().max(200)),
});
export type LeadListQuery = z.output<typeof leadListQuery>;

export const leadCounts = z.object({
  total: z.number().int(),
  preSample: z.number().int(),
  preBuy: z.number().int(),
  beehiivSent: z.number().int(),
});
export type LeadCounts = z.infer<typeof leadCounts>;

/** How many leads the filter has in each status, whichever status it asks for. */
export const statusCounts = z.object({ pending: z.number().int(), sent: z.number().int(), failed: z.number().int() });
export type StatusCounts = z.infer<typeof statusCounts>;

/** The counters follow form type, days and search; a status narrows the list alone. */
export const leadListAnswer = z.object({
  leads: z.array(lead),
  counts: leadCounts,
  statusCounts,
  nextCursor: z.string().nullable(),
});
export type LeadListAnswer = z.infer<typeof leadListAnswer>;

export const ATTEMPT_KINDS = ['push', 'probe', 'repair'] as const;
export const ATTEMPT_CLASSES = [
  'accepted',
  'permanent',
  'configuration',
  'transient',
  'rate-limited',
  'unknown',
] as const;
export type AttemptClass = (typeof ATTEMPT_CLASSES)[number];

/** One run against the newsletter platform. An open one (`class` null) has no known outcome. */
export const syncAttempt = z.object({
  id: z.uuid(),
  kind: z.enum(ATTEMPT_KINDS),
  round: z.number().int(),
  number: z.number().int(),
  startedAt: z.iso.datetime(),
  tookMs: z.number().int().nullable(),
  httpStatus: z.number().int().nullable(),
  class: z.enum(ATTEMPT_CLASSES).nullable(),
  message: z.string().nullable(),
});
export type SyncAttempt = z.infer<typeof syncAttempt>;

export const leadDetailAnswer = z.object({ lead, attempts: z.array(syncAttempt) });
export type LeadDetailAnswer = z.infer<typeof leadDetailAnswer>;

/** `POST /api/admin/leads/retry`: leads to try again. */
export const leadRetryBody = z.object({
  ids: z.array(z.uuid()).min(1, 'Name at least one lead').max(1_000, 'At most 1,000 leads'),
});
export type LeadRetryBody = z.infer<typeof leadRetryBody>;

/** How many leads will be tried again; the others were sent already or do not exist. */
export const leadRetryAnswer = z.object({ retried: z.number().int(), skipped: z.number().int() });
export type LeadRetryAnswer = z.infer<typeof leadRetryAnswer>;

/** `GET /api/admin/sync`: how the sync is doing, for the health strip. */
export const syncHealthAnswer = z.object({
  pending: z.number().int(),
  oldestPendingAt: z.iso.datetime().nullable(),
  pause: z
    .object({ reason: z.string(), setting: z.string(), since: z.iso.datetime(), nextProbeAt: z.iso.datetime() })
    .nullable(),
  /** The newsletter fails for everybody, which is nobody's fault here: all wait, nothing is lost. */
  outage: z.object({ since: z.iso.datetime() }).nullable(),
  lastAcceptedAt: z.iso.datetime().nullable(),
});
export type SyncHealthAnswer = z.infer<typeof syncHealthAnswer>;

export const loginBody = z.object({
  username: z.string().min(1, 'Required').max(200),
  password: z.string().min(1, 'Required').max(1_000),
});
export type LoginBody = z.infer<typeof loginBody>;

export const operatorAnswer = z.object({ username: z.string() });
export type OperatorAnswer = z.infer<typeof operatorAnswer>;
