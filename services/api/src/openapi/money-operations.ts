import { moneyAnswer } from '@site/schema/money';
import { pathId } from './operation.ts';
import type { Operation } from './operation.ts';

/** What the operator is told of money. */
export const MONEY_OPERATIONS: Operation[] = [
  {
    method: 'get',
    path: '/api/admin/money',
    id: 'readMoney',
    tag: 'Console',
    summary: 'Subscriptions by stage, revenue by source, and what a person should look at',
    description: 'Amounts in pence.',
    isForOperators: true,
    answers: { 200: { description: 'At most 100 of each kind', schema: moneyAnswer } },
  },
  {
    method: 'post',
    path: '/api/admin/money/mismatches/{id}/review',
    id: 'reviewMismatch',
    tag: 'Console',
    summary: 'Say that a payer with another address than the lead’s was looked at',
    isForOperators: true,
    parameters: [pathId('The subscription’s id at Stripe', { type: 'string' })],
    answers: { 204: { description: 'Noted; once is enough' } },
    problems: ['not-found', 'origin-refused'],
  },
];
