import type { Lead } from '@site/schema/lead';

/** Of two readings of one lead the later one: a list that was on its way may be older than an event. */
export function newest(lead: Lead, other: Lead | undefined): Lead {
  return other !== undefined && other.updatedAt >= lead.updatedAt ? other : lead;
}
