import { z } from 'zod';
import { lead } from '../stored-lead.ts';
import type { Call, CallName } from './call.ts';
import { instant } from './request-parts.ts';
import { leadFilterQuery } from './lead-filter.ts';
import { ATTEMPT_CLASSES } from '../beehiiv-answers.ts';

const count = z.number().int();
const perForm = { preSample: count, preBuy: count };

/** Charts read at most this many of the filter's newest leads. */
export const MAX_CHARTED = 10_000;

/** A longer period shows its last days. */
export const MAX_DAYS = 366;

export const MAX_HOUR_DAYS = 92;

/** Attempts are counted up to this many, the newest first. */
export const MAX_ATTEMPTS = 200_000;

/**
 * `GET /api/admin/charts`: the filter's leads by day and by source, and within its dates the sync's attempts and
 * failures.
 */
export const chartsAnswer = z.object({
  /** Days with leads, at most the last `MAX_DAYS`. */
  days: z.array(z.object({ day: z.iso.date(), ...perForm })),
  /** The largest sources, then the total of all others with a null name. */
  sources: z.array(z.object({ source: z.string().nullable(), isRest: z.boolean(), ...perForm })),
  /** Only the newest `MAX_CHARTED` leads of the filter are in `sources`. */
  isCapped: z.boolean(),
  /** Hours with attempts, in the last `MAX_HOUR_DAYS` days. */
  hours: z.array(z.object({ at: instant, accepted: count, permanent: count, willRetry: count })),
  /** True if there were more than `MAX_ATTEMPTS`. */
  areHoursCapped: z.boolean(),
  /** Failures of the same days, the most frequent first, with how many leads had them and which one was the latest. */
  classes: z.array(
    z.object({
      class: z.enum(ATTEMPT_CLASSES),
      /** The reason, or the message of an attempt that has none yet: of version 0.2.0. */
      cause: z.string(),
      count,
      leads: count,
      lastAt: instant,
      lastLead: z.object({ id: z.uuid(), name: z.string() }),
    }),
  ),
  /** The charted leads that came from a form, and how many of them began a subscription, and became payers: paid an invoice above zero. */
  funnel: z.object({ leads: count, trials: count, payers: count }),
  /** Milliseconds from the form to Beehiiv's acceptance, over the charted leads. Null without a sent one. */
  delivery: z.object({ medianMs: count, p95Ms: count }).nullable(),
  oldestPending: z.array(lead.pick({ id: true, email: true, submittedAt: true })),
});
export type ChartsAnswer = z.infer<typeof chartsAnswer>;

export const chartCalls = {
  'GET /api/admin/charts': {
    id: 'readCharts',
    summary: 'The figures behind the charts',
    query: leadFilterQuery,
    answers: {
      200: {
        description: 'Leads by day and source, their conversion and delivery, and the sync’s attempts and failures',
        schema: chartsAnswer,
      },
    },
  },
} satisfies Record<CallName, Call>;
