import type { ListedLead } from '@site/schema/stored-lead';

/** Updates a lead with another copy's fields, if that is newer. A list that took long to load may be older than an event. */
export function newest<Shown extends ListedLead>(
  lead: Shown,
  other: ListedLead | undefined,
): Shown {
  return other !== undefined && other.updatedAt >= lead.updatedAt ? { ...lead, ...other } : lead;
}
