import type { Database } from '@site/platform/database/connect';
import { queryOne } from '@site/platform/database/query';
import type { LeadFilter } from '@site/schema/calls/lead-filter';
import { MAX_CHARTED } from '@site/schema/calls/charts';
import type { ChartsAnswer } from '@site/schema/calls/charts';
import { whereLeads } from '../leads/lead-filter.ts';

/**
 * Counts the charted leads that came from a form, and those of them that began a subscription, and that have ever paid for
 * one. A lead that was made for a payer, or by an operator, has seen no form and so no consent text.
 */
export async function countFunnel(db: Database, { status: _, ...filter }: LeadFilter): Promise<ChartsAnswer['funnel']> {
  const chosen = whereLeads(db, db('leads'), filter)
    .whereNotNull('consentTextVersion')
    .select('leads.id')
    .orderBy('submittedAt', 'desc')
    .limit(MAX_CHARTED);
  return queryOne(
    db,
    `with chosen as materialized ?
     select (select count(*) from chosen) as leads, count(distinct lead_id) as trials,
       count(distinct lead_id) filter (where first_paid_at is not null) as payers
     from subscriptions where lead_id in (select id from chosen)`,
    [chosen],
  );
}
