import { toSnake } from '@site/platform/database/connect';
import type { LeadRow } from '@site/platform/database/tables';
import { syncAttempt } from '@site/schema/calls/leads';
import { lead, leadInList } from '@site/schema/stored-lead';
import type { z } from 'zod';

/** Turns times of a row into text, and drops each column that the contract does not name. */
const converterTo =
  <Answer>(contract: z.ZodType<Answer>) =>
  (row: object): Answer => {
    const answer: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(row))
      answer[name] = value instanceof Date ? value.toISOString() : value;
    return contract.parse(answer);
  };

/**
 * Computed columns. A failure's time is that of its last attempt: a stopped bulk retry changes a
 * lead later.
 */
const COMPUTED = {
  isCorrected: 'leads.corrected_to is not null as is_corrected',
  correctedFrom:
    '(select id from leads mistyped where mistyped.corrected_to = leads.id) as corrected_from',
  failedAt: `case when leads.beehiiv_status = 'failed' then (
    select started_at + coalesce(took_ms, 0) * interval '1 millisecond' from lead_sync_attempts
    where lead_id = leads.id and kind in ('push', 'probe') order by round desc, number desc limit 1) end as failed_at`,
  standing:
    '(select standing from people where email_normalised = leads.email_normalised) as standing',
};
const isComputed = (name: string): name is keyof typeof COMPUTED => name in COMPUTED;
const select = ({ shape }: { shape: object }) =>
  Object.keys(shape)
    .map((name) => (isComputed(name) ? COMPUTED[name] : `leads.${toSnake(name)}`))
    .join(', ');

/** The columns of the list, and of a lead's detail. */
export const IN_LIST = select(leadInList);
export const SHOWN = `leads.*, ${COMPUTED.isCorrected}, ${COMPUTED.correctedFrom}, ${COMPUTED.failedAt}`;
export type ShownLeadRow = LeadRow & {
  isCorrected: boolean;
  correctedFrom: string | null;
  failedAt: Date | null;
};

export const toLead = converterTo(lead);
export const toLeadInList = converterTo(leadInList);
export const toAttempt = converterTo(syncAttempt);
