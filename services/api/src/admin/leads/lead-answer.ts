import type { LeadRow, SyncAttemptRow } from '@site/platform/database/tables';
import { syncAttempt } from '@site/schema/admin';
import type { SyncAttempt } from '@site/schema/admin';
import { lead } from '@site/schema/stored-lead';
import type { Lead } from '@site/schema/lead';

const toText = (value: unknown) => (value instanceof Date ? value.toISOString() : value);

/** Every field of the contract and no other, times as text: what the schema does not name does not leave. */
const pick = (row: object, fields: string[]) =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => fields.includes(name))
      .map(([name, value]) => [name, toText(value)]),
  );

const LEAD_FIELDS = Object.keys(lead.shape);
const ATTEMPT_FIELDS = Object.keys(syncAttempt.shape);

/** A lead as the console gets it. */
export function toLead(row: LeadRow): Lead {
  return lead.parse(pick(row, LEAD_FIELDS));
}

export function toAttempt(row: SyncAttemptRow): SyncAttempt {
  return syncAttempt.parse(pick(row, ATTEMPT_FIELDS));
}
