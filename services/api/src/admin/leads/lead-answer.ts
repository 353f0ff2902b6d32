import { toSnake } from '@site/platform/database/connect';
import type { LeadRow, SyncAttemptRow } from '@site/platform/database/tables';
import { IS_CORRECTED } from '@site/platform/outbox/retry';
import { syncAttempt } from '@site/schema/calls/leads';
import type { SyncAttempt } from '@site/schema/calls/leads';
import { lead, leadInList, listedLead } from '@site/schema/stored-lead';
import type { LeadInList, ListedLead } from '@site/schema/stored-lead';
import type { Lead } from '@site/schema/lead';

const toText = (value: unknown) => (value instanceof Date ? value.toISOString() : value);

/** Turns times into text. The contract then drops each column that it does not name. */
const toJson = (row: object) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toText(value)]));

const CORRECTED = `${IS_CORRECTED} as is_corrected`;
const select = ({ shape }: { shape: object }) =>
  Object.keys(shape)
    .map((name) => (name === 'isCorrected' ? CORRECTED : `leads.${toSnake(name)}`))
    .join(', ');

/** What to select for a lead's detail, the list, and a live event. */
export const SHOWN = `leads.*, ${CORRECTED}`;
export const IN_LIST = select(leadInList);
export const LISTED = select(listedLead);
export type ShownLeadRow = LeadRow & { isCorrected: boolean };
export type LeadInListRow = Pick<ShownLeadRow, keyof LeadInList>;
export type ListedLeadRow = Pick<ShownLeadRow, keyof ListedLead>;

/** Converts a row to the lead that the console gets. */
export function toLead(row: ShownLeadRow): Lead {
  return lead.parse(toJson(row));
}

export function toLeadInList(row: LeadInListRow): LeadInList {
  return leadInList.parse(toJson(row));
}

export function toListedLead(row: ListedLeadRow): ListedLead {
  return listedLead.parse(toJson(row));
}

export function toAttempt(row: SyncAttemptRow): SyncAttempt {
  return syncAttempt.parse(toJson(row));
}
