import { readFunnelFilter } from '@site/schema/calls/lead-filter';
import type { FunnelStep, LeadFilter } from '@site/schema/calls/lead-filter';
import { FUNNEL_ROWS, MAX_FUNNEL_LEADS } from '@site/schema/calls/overview';

const REACHED: Record<FunnelStep, string> = {
  people: 'true',
  checkout: 'checkout',
  trial: 'trial',
  paying: 'paying',
  'in-trial': 'in_trial',
  left: 'trial and not paying and not in_trial',
};

/**
 * Returns the leads behind a number of the funnel, as a condition on `leads`. The overview counts
 * the same rows, so the two agree.
 */
export function isInFunnel(
  filter: string,
  { startDate, endDate }: LeadFilter,
): [string, Record<string, string | number | null>] {
  const { step, part, name } = readFunnelFilter(filter);
  return [
    `leads.id in (select id from funnel(:startDate::date, :endDate::date, :most, :rows)
       where ${REACHED[step]} and ${part ?? "''"} = :name)`,
    {
      startDate: startDate ?? null,
      endDate: endDate ?? null,
      most: MAX_FUNNEL_LEADS,
      rows: FUNNEL_ROWS,
      name: name ?? '',
    },
  ];
}
