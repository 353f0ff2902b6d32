import type { Lead } from '@site/schema/lead';

/** Returns the newer of two copies of a lead. A list that took long to load may be older than an event. */
export function newest(lead: Lead, other: Lead | undefined): Lead {
  return other !== undefined && other.updatedAt >= lead.updatedAt ? other : lead;
}
