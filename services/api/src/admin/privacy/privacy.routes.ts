import type { Clock } from '@site/platform/clock';
import type { Database } from '@site/platform/database/connect';
import { erasureReceipt, erasuresAnswer, personBody, personExportAnswer } from '@site/schema/console';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { listErasures } from './privacy.repository.ts';
import { erase, exportPerson, toReceipt } from './privacy.service.ts';

const SHOWN = 50;

/** Exports and erases one person. The address is in the body, because URLs end up in logs. */
export function privacyRoutes(deps: { db: Database; clock: Clock; newId: () => string }): Route[] {
  return [
    route({
      call: 'POST /api/admin/people/export',
      id: 'exportPerson',
      summary: 'Export everything held about one person',
      body: personBody,
      answers: { 200: { description: 'Every row, by table', schema: personExportAnswer } },
      async handle({ body, req, res }) {
        res.json(await exportPerson(deps, operatorOf(req), body.email));
      },
    }),
    route({
      call: 'POST /api/admin/people/erase',
      id: 'erasePerson',
      summary: 'Erase one person',
      description:
        'Deletes the rows here at once, and asks Beehiiv until the subscriber is deleted. Invoices at Stripe stay.',
      body: personBody,
      answers: { 202: { description: 'The receipt', schema: erasureReceipt } },
      problems: ['subscription-live'],
      async handle({ body, req, res }) {
        res.status(202).json(await erase(deps, operatorOf(req), body.email));
      },
    }),
    route({
      call: 'GET /api/admin/people/erasures',
      id: 'listErasures',
      summary: 'Receipts of erasures, newest first',
      answers: { 200: { description: `At most ${SHOWN} receipts`, schema: erasuresAnswer } },
      async handle({ res }) {
        res.json({ erasures: (await listErasures(deps.db, SHOWN)).map(toReceipt) });
      },
    }),
  ];
}
