import { ERASURES_SHOWN } from '@site/schema/calls/privacy';
import type { AppDeps } from '../../app-deps.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { countRows, findPerson } from './privacy.repository.ts';
import { erase, exportPerson, toReceipt } from './privacy.service.ts';
import { listErasures } from './receipt.repository.ts';

/** Exports and erases one person. The email is in the body, because URLs end up in logs. */
export function privacyRoutes(deps: AppDeps): Route[] {
  return [
    route('POST /api/admin/people/export', ({ body, req }) =>
      exportPerson(deps, operatorOf(req), body.email),
    ),
    route('POST /api/admin/people/lookup', async ({ body: { email } }) => {
      const person = await findPerson(deps.db, email);
      return { rows: await countRows(deps.db, person), others: person.emails.slice(1) };
    }),
    route('POST /api/admin/people/erase', ({ body, req }) =>
      erase(deps, operatorOf(req), body.email),
    ),
    route('GET /api/admin/people/erasures', async () => ({
      erasures: (await listErasures(deps.db, ERASURES_SHOWN)).map(toReceipt),
    })),
  ];
}
