import { z } from 'zod';
import type { Call, CallName } from './call.ts';
import { leadFilterQuery } from './lead-filter.ts';
import { count } from './request-parts.ts';

const perForm = { preSample: count, preBuy: count };

/** Charts read at most this many of the filter's newest leads. */
export const MAX_CHARTED = 10_000;

/** A longer period shows its last days. */
export const MAX_DAYS = 366;

/** `GET /api/admin/charts`: the filter's leads by day and by source. */
export const chartsAnswer = z.object({
  /** Days with leads, at most the last `MAX_DAYS`. */
  days: z.array(z.object({ day: z.iso.date(), ...perForm })),
  /** The largest sources, then the sum of all others with a null name. */
  sources: z.array(z.object({ source: z.string().nullable(), isRest: z.boolean(), ...perForm })),
  /** True if `sources` covers only the newest `MAX_CHARTED` leads of the filter. */
  isCapped: z.boolean(),
});
export type ChartsAnswer = z.infer<typeof chartsAnswer>;

export const chartCalls = {
  'GET /api/admin/charts': {
    id: 'readCharts',
    summary: 'The figures behind the charts',
    query: leadFilterQuery,
    answers: {
      200: { schema: chartsAnswer },
    },
  },
} satisfies Record<CallName, Call>;
