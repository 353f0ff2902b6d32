import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { parseCursor, toCursor } from '../../http/cursor.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { recordAction, recordLeadRead, recordRowsViewed } from '../../audit/audit.repository.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { storeNotice } from '../operators/security-notice.ts';
import { toLeadInList } from './lead-answer.ts';
import { correctLead } from '../../corrections/correction.service.ts';
import { countQuarantined, deleteQuarantined } from './delete-quarantined.ts';
import { isMost, sendLeadsCsv } from './lead-csv.ts';
import { toRecorded } from './lead-filter.ts';
import { readLeadDetail } from './lead-detail.service.ts';
import { countChartedLeads, countLeads, countNewer, listLeads } from './lead-list.repository.ts';

/**
 * Serves the console's leads: the list, its counters and charts, one lead, corrections, and the
 * export.
 */
export function leadListRoutes(deps: AppDeps): Route[] {
  const { db } = deps;
  return [
    route('GET /api/admin/leads', async ({ query, req }) => {
      const place = parseCursor(query.cursor, z.uuid());
      const upTo = query.sort === 'oldest' ? null : parseCursor(query.upTo, z.uuid());
      const list = async () => {
        const { rows, top, next } = await listLeads(db, query, { place, upTo });
        await recordRowsViewed(db, operatorOf(req), 'leads', rows.length);
        return {
          leads: rows.map(toLeadInList),
          nextCursor: toCursor(next),
          topCursor: toCursor(top),
        };
      };
      const [listed, counted, newer] = await Promise.all([
        list(),
        countLeads(db, query),
        countNewer(db, query, upTo),
      ]);
      return { ...listed, ...counted, newer };
    }),
    route('GET /api/admin/charts', ({ query }) => countChartedLeads(db, query)),
    route('GET /api/admin/leads/export/csv', async ({ query, req, res }) => {
      const { ids, ...filter } = query;
      const detail = { ...toRecorded(filter), ...(ids && { selected: ids.length }) };
      const isLarge = ids === undefined && (await isMost(db, filter));
      await db.transaction(async (trx) => {
        await recordAction(trx, { operator: operatorOf(req), action: 'export-leads', detail });
        if (isLarge) await storeNotice(trx, deps, 'export-leads', operatorOf(req), req);
      });
      await sendLeadsCsv(deps, query, res);
    }),
    route('GET /api/admin/leads/:id', async ({ params, req }) => {
      const detail = await readLeadDetail(deps, params.id);
      await recordLeadRead(db, operatorOf(req), params.id);
      return detail;
    }),
    route(
      'POST /api/admin/leads/delete-quarantined',
      async ({ body: { dryRun = false, ...choice }, req }) => ({
        count: dryRun
          ? await countQuarantined(db, choice)
          : await deleteQuarantined(db, operatorOf(req), choice),
      }),
    ),
    route('POST /api/admin/leads/:id/correct', ({ params, body, req }) =>
      correctLead(deps, operatorOf(req), params.id, body.email),
    ),
  ];
}
