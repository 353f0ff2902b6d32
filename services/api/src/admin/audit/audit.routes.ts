import type { Database } from '@site/platform/database/connect';
import { auditAnswer, auditQuery } from '@site/schema/console';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { listActions } from './audit.repository.ts';

const PER_PAGE = 100;

/** The record of what operators did. */
export function auditRoutes({ db }: { db: Database }): Route[] {
  return [
    route({
      call: 'GET /api/admin/audit',
      id: 'listActions',
      summary: 'What operators did, newest first',
      query: auditQuery,
      answers: { 200: { description: `At most ${PER_PAGE} actions`, schema: auditAnswer } },
      async handle({ query, res }) {
        const rows = await listActions(db, query.before, PER_PAGE + 1);
        const shown = rows.slice(0, PER_PAGE);
        res.json({
          actions: shown.map((row) => ({ ...row, at: row.at.toISOString() })),
          nextBefore: rows.length > PER_PAGE ? (shown.at(-1)?.id ?? null) : null,
        });
      },
    }),
  ];
}
