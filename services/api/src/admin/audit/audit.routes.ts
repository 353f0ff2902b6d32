import { ACTIONS_PER_PAGE } from '@site/schema/calls/audit';
import type { AppDeps } from '../../app-deps.ts';
import { foldReadings, listActions, listActors } from '../../audit/audit.repository.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';

export function auditRoutes({ db }: AppDeps): Route[] {
  return [
    route('GET /api/admin/audit', async ({ query }) => {
      await foldReadings(db);
      const [rows, operators] = await Promise.all([listActions(db, query), listActors(db)]);
      const shown = rows.slice(0, ACTIONS_PER_PAGE);
      return {
        // Listings are recorded after they happened.
        actions: shown.toSorted((a, b) => b.at.getTime() - a.at.getTime()),
        nextBefore: rows.length > ACTIONS_PER_PAGE ? (shown.at(-1)?.id ?? null) : null,
        operators,
      };
    }),
  ];
}
