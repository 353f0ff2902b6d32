import { toSnake } from '@site/platform/database/connect';
import type { LeadRow } from '@site/platform/database/tables';
import { IS_CORRECTED } from '@site/platform/outbox/correction';
import { syncAttempt } from '@site/schema/calls/leads';
import { lead, leadInList, listedLead } from '@site/schema/stored-lead';
import type { z } from 'zod';

/** Turns times of a row into text, and drops each column that the contract does not name. */
const converterTo =
  <Answer>(contract: z.ZodType<Answer>) =>
  (row: object): Answer => {
    const answer: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(row)) answer[name] = value instanceof Date ? value.toISOString() : value;
    return contract.parse(answer);
  };

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

/** Convert rows to what the console gets. */
export const toLead = converterTo(lead);
export const toLeadInList = converterTo(leadInList);
export const toListedLead = converterTo(listedLead);
export const toAttempt = converterTo(syncAttempt);
