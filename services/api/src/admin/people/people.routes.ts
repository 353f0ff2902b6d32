import type { Pool } from 'pg';
import { recordAction, recordLeadRead, recordRowsViewed } from '../../audit/audit.repository.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { storeNotice } from '../operators/security-notice.ts';
import type { NoticeDeps } from '../operators/security-notice.ts';
import { exportPeople, searchPeople } from './people-search.service.ts';
import type { SearchDeps } from './people-search.service.ts';
import { deleteNote, readNotes, readPerson, writeNote } from './person.service.ts';
import type { PersonDeps } from './person.service.ts';

/**
 * Finds people, and reads and annotates a person. Emails are in bodies, because URLs end up in
 * logs.
 */
export function peopleRoutes(
  deps: SearchDeps & PersonDeps & NoticeDeps & { exportPool: Pool },
): Route[] {
  return [
    route('POST /api/admin/people/search', async ({ body, req }) => {
      const answer = await searchPeople(deps, body);
      await recordRowsViewed(deps.db, operatorOf(req), 'people', answer.people.length);
      return answer;
    }),
    route('POST /api/admin/people/csv', async ({ body, req, res }) => {
      const operator = operatorOf(req);
      const { text, ...filter } = body;
      const detail = { ...filter, ...(text && { isSearch: true }) };
      await exportPeople(deps, body, res, (isLarge) =>
        deps.db.transaction(async (trx) => {
          await recordAction(trx, { operator, action: 'export-people', detail });
          if (isLarge) await storeNotice(trx, deps, 'export-people', operator, req);
        }),
      );
      return '';
    }),
    route('GET /api/admin/leads/:id/person', async ({ params: { id }, req }) => {
      const person = await readPerson(deps, id);
      await recordLeadRead(deps.db, operatorOf(req), person.lead.id, { of: 'person' });
      return person;
    }),
    route('GET /api/admin/leads/:id/notes', ({ params: { id } }) => readNotes(deps.db, id)),
    route('POST /api/admin/leads/:id/notes', ({ params: { id }, body, req }) =>
      writeNote(deps, operatorOf(req), id, body.text),
    ),
    route('DELETE /api/admin/leads/:id/notes/:noteId', ({ params: { id, noteId }, req }) =>
      deleteNote(deps.db, operatorOf(req), id, noteId),
    ),
  ];
}
