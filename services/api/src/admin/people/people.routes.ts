import { recordReading } from '../../audit/reading.repository.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { searchPeople } from './people-search.service.ts';
import type { SearchDeps } from './people-search.service.ts';

/** Finds people. Addresses are in bodies, because URLs end up in logs. */
export function peopleRoutes(deps: SearchDeps): Route[] {
  return [
    route('POST /api/admin/people/search', async ({ body, req }) => {
      const found = await searchPeople(deps, body.text, body.cursor);
      await recordReading(deps.db, operatorOf(req), 'people', found.people.length);
      return found;
    }),
  ];
}
