import {
  auditAnswer,
  auditQuery,
  chartsAnswer,
  erasureReceipt,
  erasuresAnswer,
  personBody,
  personExportAnswer,
  retryRun,
  retryRunsAnswer,
} from '@site/schema/console';
import { leadFilterQuery } from '@site/schema/admin';
import { BODY_PROBLEMS, pathId } from './operation.ts';
import type { Operation } from './operation.ts';

const person = { schema: personBody, fields: { email: { type: 'string' } }, required: ['email'] };

/** What the operator's console calls beside the leads themselves. */
export const PEOPLE_OPERATIONS: Operation[] = [
  {
    method: 'get',
    path: '/api/admin/retry-runs',
    id: 'listRetryRuns',
    tag: 'Console',
    summary: 'Retries of many leads, the newest first',
    isForOperators: true,
    answers: { 200: { description: 'At most 20 runs', schema: retryRunsAnswer } },
  },
  {
    method: 'post',
    path: '/api/admin/retry-runs/{id}/stop',
    id: 'stopRetryRun',
    tag: 'Console',
    summary: 'Stop a retry of many',
    description: 'Gives back the leads that the run moved, that had no attempt since and that no worker holds.',
    isForOperators: true,
    parameters: [pathId('The run’s id', { type: 'string', format: 'uuid' })],
    answers: { 200: { description: 'The run', schema: retryRun } },
    problems: ['not-found', 'run-over', 'origin-refused'],
  },
  {
    method: 'get',
    path: '/api/admin/events',
    id: 'followChanges',
    tag: 'Console',
    summary: 'Changes as they happen',
    description:
      'Server-sent events: `change` with a LiveEvent, and `place` where only the id has moved. Resumes after the header `Last-Event-ID` or the query `after`. Ends with the session.',
    isForOperators: true,
    answers: {
      200: { description: 'A stream without an end', contentType: 'text/event-stream', schema: { type: 'string' } },
    },
  },
  {
    method: 'get',
    path: '/api/admin/charts',
    id: 'readCharts',
    tag: 'Console',
    summary: 'The figures behind the charts',
    isForOperators: true,
    query: { schema: leadFilterQuery },
    answers: { 200: { description: 'Leads by day and source, and the sync’s last day', schema: chartsAnswer } },
    problems: ['fields-invalid'],
  },
  {
    method: 'get',
    path: '/api/admin/audit',
    id: 'listActions',
    tag: 'Console',
    summary: 'What operators did, the newest first',
    isForOperators: true,
    query: { schema: auditQuery },
    answers: { 200: { description: 'At most 100 actions', schema: auditAnswer } },
    problems: ['fields-invalid'],
  },
  {
    method: 'post',
    path: '/api/admin/people/export',
    id: 'exportPerson',
    tag: 'Console',
    summary: 'Everything that is kept of one person',
    isForOperators: true,
    body: person,
    answers: { 200: { description: 'Every row, by table', schema: personExportAnswer } },
    problems: [...BODY_PROBLEMS, 'origin-refused'],
  },
  {
    method: 'post',
    path: '/api/admin/people/erase',
    id: 'erasePerson',
    tag: 'Console',
    summary: 'Erase one person',
    description: 'Rows here go at once; Beehiiv is asked until it has deleted the subscriber. Invoices at Stripe stay.',
    isForOperators: true,
    body: person,
    answers: { 202: { description: 'The receipt', schema: erasureReceipt } },
    problems: [...BODY_PROBLEMS, 'subscription-live', 'origin-refused'],
  },
  {
    method: 'get',
    path: '/api/admin/people/erasures',
    id: 'listErasures',
    tag: 'Console',
    summary: 'Receipts of erasures, the newest first',
    isForOperators: true,
    answers: { 200: { description: 'At most 50 receipts', schema: erasuresAnswer } },
  },
];
