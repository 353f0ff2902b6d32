import type { Database } from '@site/platform/database/connect';
import { auditAnswer, auditQuery } from '@site/schema/console';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { findSubjects, listActions, listActors } from './audit.repository.ts';

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
        const [rows, operators] = await Promise.all([listActions(db, query, PER_PAGE + 1), listActors(db)]);
        const shown = rows.slice(0, PER_PAGE);
        const leads = await findSubjects(db, shown);
        res.json({
          actions: shown.map((row) => {
            const lead = row.subject === null ? undefined : leads.get(row.subject);
            return { ...row, at: row.at.toISOString(), lead: lead ?? null };
          }),
          nextBefore: rows.length > PER_PAGE ? (shown.at(-1)?.id ?? null) : null,
          operators,
        });
      },
    }),
  ];
}
