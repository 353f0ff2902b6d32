import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import type { StripeDeps } from '../subscriptions/refund.service.ts';
import { searchPeople } from './people-search.service.ts';

/** Finds people. The text is in the body, because URLs end up in logs. */
export function peopleRoutes(deps: Pick<StripeDeps, 'db' | 'stripe' | 'log'>): Route[] {
  return [route('POST /api/admin/people/search', ({ body }) => searchPeople(deps, body.text, body.cursor))];
}
