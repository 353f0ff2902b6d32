import { toSnake } from '@site/platform/database/connect';
import type { LeadRow } from '@site/platform/database/tables';
import { lead, leadInList } from '@site/schema/stored-lead';
import type { z } from 'zod';

/** Turns a row's times into text, and drops columns that the contract does not name. */
const converterTo =
  <Answer>(contract: z.ZodType<Answer>) =>
  (row: object): Answer => {
    const answer: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(row))
      answer[name] = value instanceof Date ? value.toISOString() : value;
    return contract.parse(answer);
  };

const COMPUTED = {
  // A retried lead keeps the time in its row.
  failedAt: `case when leads.beehiiv_status = 'failed' then leads.failed_at end as failed_at`,
  name: `coalesce((
    select name from people person where person.email_normalised = leads.email_normalised
  ), leads.full_name) as name`,
  state: `(
    select coalesce(state, 'none') from people person
    where person.email_normalised = leads.email_normalised
  ) as state`,
};
const isComputed = (name: string): name is keyof typeof COMPUTED => name in COMPUTED;
const select = ({ shape }: { shape: object }) =>
  Object.keys(shape)
    .map((name) => (isComputed(name) ? COMPUTED[name] : `leads.${toSnake(name)}`))
    .join(', ');

/** The columns of the list, and of a lead's detail. */
export const IN_LIST = select(leadInList);
export const SHOWN = [
  'leads.*',
  COMPUTED.failedAt,
  'channel_of(visit_utm_source, referrer, is_of_sample(form_type, utm_source)) as channel',
  `(
    select former.email from former_emails former where lead_id = leads.id
    order by former.id desc limit 1
  ) as former_email`,
].join(', ');
export type ShownLeadRow = LeadRow & { channel: string; formerEmail: string | null };

export const toLead = converterTo(lead);
export const toLeadInList = converterTo(leadInList);
