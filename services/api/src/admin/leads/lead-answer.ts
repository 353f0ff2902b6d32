import type { LeadRow, SyncAttemptRow } from '@site/platform/database/tables';
import { IS_CORRECTED } from '@site/platform/outbox/retry';
import { syncAttempt } from '@site/schema/calls/leads';
import type { SyncAttempt } from '@site/schema/calls/leads';
import { lead } from '@site/schema/stored-lead';
import type { Lead } from '@site/schema/lead';

const toText = (value: unknown) => (value instanceof Date ? value.toISOString() : value);

/** Picks the fields that the contract names, so no other column leaves the API. Turns times into text. */
const pick = (row: object, fields: string[]) =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => fields.includes(name))
      .map(([name, value]) => [name, toText(value)]),
  );

const LEAD_FIELDS = Object.keys(lead.shape);
const ATTEMPT_FIELDS = Object.keys(syncAttempt.shape);

/** What to select of a row of `leads` that the console shows. */
export const SHOWN = `leads.*, ${IS_CORRECTED} as is_corrected`;
export type ShownLeadRow = LeadRow & { isCorrected: boolean };

/** Converts a row to the lead that the console gets. */
export function toLead(row: ShownLeadRow): Lead {
  return lead.parse(pick(row, LEAD_FIELDS));
}

export function toAttempt(row: SyncAttemptRow): SyncAttempt {
  return syncAttempt.parse(pick(row, ATTEMPT_FIELDS));
}
