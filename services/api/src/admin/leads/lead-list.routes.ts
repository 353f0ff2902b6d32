import type { Clock } from '@site/platform/clock';
import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import {
  leadCorrectionAnswer,
  leadCorrectionBody,
  leadCountsAnswer,
  leadCountsQuery,
  leadDetailAnswer,
  leadExportQuery,
  leadListAnswer,
  leadListQuery,
} from '@site/schema/admin';
import type { Pool } from 'pg';
import type Stripe from 'stripe';
import { z } from 'zod';
import { parseCursor, toCursor } from '../../http/cursor.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import type { ApiSettings } from '../../settings.ts';
import { recordAction, recordLeadRead } from '../audit/audit.repository.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { toLead } from './lead-answer.ts';
import { correctLead } from './lead-correction.service.ts';
import { sendLeadsCsv } from './lead-csv.ts';
import { readLeadDetail } from './lead-detail.service.ts';
import { countLeads, countNewer, listLeads } from './lead-list.repository.ts';
import { listStages } from './lead-money.repository.ts';

const leadParams = z.object({ id: z.uuid().describe('The lead’s id') });

type LeadListDeps = {
  db: Database;
  exportPool: Pool;
  clock: Clock;
  stripe: Stripe;
  settings: Pick<ApiSettings, 'stripe'>;
  syncQueue: Pick<SyncQueue, 'wake'>;
  newId: () => string;
  log: Logger;
};

/** The console's leads: the list and its counters, one lead with its attempts, correction, and the export. */
export function leadListRoutes(deps: LeadListDeps): Route[] {
  const { db } = deps;
  return [
    route({
      call: 'GET /api/admin/leads',
      id: 'listLeads',
      summary: 'Leads and counters',
      description:
        'Days are inclusive, in London. The counters follow form type, days and search; a status narrows the list only. Quarantined and corrected leads count as failed in `counts`, but are listed and counted by `status=quarantined` and `status=corrected` and not by `status=failed`.',
      query: leadListQuery,
      answers: { 200: { description: 'A page of leads', schema: leadListAnswer } },
      async handle({ query, res }) {
        const [page, counted] = await Promise.all([
          listLeads(db, query, parseCursor(query.cursor, z.uuid())),
          countLeads(db, query),
        ]);
        const cursors = { nextCursor: toCursor(page.next), topCursor: toCursor(page.top) };
        const subscribed = await listStages(
          db,
          page.rows.map(({ id }) => id),
        );
        res.json({ leads: page.rows.map(toLead), ...subscribed, ...counted, ...cursors });
      },
    }),
    route({
      call: 'GET /api/admin/leads/counts',
      id: 'countLeads',
      summary: 'The counters alone, and how many leads are newer than a place in the list',
      query: leadCountsQuery,
      answers: { 200: { description: 'The counters', schema: leadCountsAnswer } },
      async handle({ query: { newerThan, ...filter }, res }) {
        const [counted, newer] = await Promise.all([
          countLeads(db, filter),
          countNewer(db, filter, parseCursor(newerThan, z.uuid())),
        ]);
        res.json({ ...counted, newer });
      },
    }),
    route({
      call: 'GET /api/admin/leads/export/csv',
      id: 'exportLeads',
      summary: 'Leads as CSV',
      description:
        'Every lead of the filter, or those of the ids, newest first, as one consistent snapshot. A download that breaks off is incomplete.',
      query: leadExportQuery,
      answers: {
        200: {
          description: 'UTF-8 with a byte-order mark, RFC 4180',
          contentType: 'text/csv',
          headers: { 'Content-Disposition': 'A file name with filter and date' },
        },
      },
      async handle({ query, req, res }) {
        // A search may be somebody's name, so only the fact that there was one is recorded.
        const { search, ids, ...filter } = query;
        const detail = { ...filter, ...(search && { isSearch: true }), ...(ids && { selected: ids.length }) };
        await recordAction(db, { operator: operatorOf(req), action: 'export-leads', detail });
        await sendLeadsCsv(deps, query, res);
      },
    }),
    route({
      call: 'GET /api/admin/leads/:id',
      id: 'readLead',
      summary: 'A lead with its attempts, checkouts and subscriptions',
      params: leadParams,
      answers: { 200: { description: 'The lead', schema: leadDetailAnswer } },
      problems: ['not-found'],
      async handle({ params, req, res }) {
        const detail = await readLeadDetail(deps, params.id);
        await recordLeadRead(db, operatorOf(req), params.id);
        res.json(detail);
      },
    }),
    route({
      call: 'POST /api/admin/leads/:id/correct',
      id: 'correctLead',
      summary: 'Correct a mistyped address',
      description:
        'Creates a lead with the correct address, linked to this one, which is not retried. The person’s other leads of the mistyped address go along. What they paid for moves to the correct address, here and at Stripe. Beehiiv unsubscribes the mistyped one.',
      params: leadParams,
      body: leadCorrectionBody,
      answers: { 201: { description: 'The new lead', schema: leadCorrectionAnswer } },
      problems: ['not-found', 'already-corrected', 'already-subscribed', 'stripe-unavailable'],
      async handle({ params, body, req, res }) {
        res.status(201).json(await correctLead(deps, operatorOf(req), params.id, body.email));
      },
    }),
  ];
}
