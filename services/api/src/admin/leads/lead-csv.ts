import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { londonDate } from '@site/schema/calendar';
import type { LeadFilter } from '@site/schema/calls/lead-filter';
import type { LeadExportQuery } from '@site/schema/calls/leads';
import type { Response } from 'express';
import type { Pool } from 'pg';
import { sendCsv } from '../../http/send-csv.ts';
import { CSV_HEAD, toCopySql } from './lead-csv-cells.ts';
import { countUpTo, whereLeads } from './lead-filter.ts';

function fileName(filter: LeadExportQuery, today: string): string {
  const {
    formType,
    status,
    subscriber,
    source,
    without,
    checkout,
    startDate,
    endDate,
    stage,
    error,
    retryRun,
    funnel,
    search,
    ids,
    ...others
  } = filter;
  // Does not compile with a filter that has no part below.
  others satisfies Record<string, never>;
  const parts = [
    'leads',
    formType,
    status,
    subscriber,
    source && 'source',
    without && 'without-source',
    checkout && 'checkout-abandoned',
    startDate && `from-${startDate}`,
    endDate && `to-${endDate}`,
    stage,
    error && 'error',
    retryRun && 'retry',
    funnel && 'funnel',
    search && 'search',
    ids && 'selected',
    today,
  ];
  return `${parts.filter(Boolean).join('-')}.csv`;
}

/** An export of more leads than this is as good as one of all. */
const MANY = 1_000;

/** True if the filter lets through all the leads there are, or more than a thousand. */
export async function isMost(db: Database, filter: LeadFilter): Promise<boolean> {
  const matching = await countUpTo(db, filter, MANY + 1);
  return matching > MANY || (matching > 0 && matching === (await countUpTo(db, {}, MANY + 1)));
}

type ExportDeps = { db: Database; exportPool: Pool; clock: Clock };

/** Streams every lead of the filter, or those of the ids. Throws as `sendCsv` does. */
export async function sendLeadsCsv(
  deps: ExportDeps,
  { ids, ...filter }: LeadExportQuery,
  res: Response,
  tooLate?: AbortSignal,
): Promise<void> {
  const leads = whereLeads(deps.db, deps.db('leads'), filter);
  if (ids) void leads.whereIn('id', ids);
  const csv = {
    fileName: fileName({ ...filter, ids }, londonDate(deps.clock.now())),
    head: CSV_HEAD,
    rows: leads.select('leads.*'),
    copy: toCopySql,
  };
  await sendCsv(deps, csv, res, tooLate);
}
