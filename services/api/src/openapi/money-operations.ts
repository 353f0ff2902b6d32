import { leadFilterQuery } from '@site/schema/admin';
import { abandonedCheckoutsAnswer, moneyAnswer, moneyAttentionAnswer, parkedEventAnswer } from '@site/schema/money';
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
    method: 'get',
    path: '/api/admin/money/attention',
    id: 'countMoneyAttention',
    tag: 'Console',
    summary: 'How many things of Stripe’s a person should look at',
    isForOperators: true,
    answers: {
      200: { description: 'Parked events, mismatches, second subscriptions, disputes', schema: moneyAttentionAnswer },
    },
  },
  {
    method: 'get',
    path: '/api/admin/money/abandoned-checkouts',
    id: 'countAbandoned',
    tag: 'Console',
    summary: 'How many leads of a filter gave their checkout up',
    description: 'Whatever status the filter asks for.',
    isForOperators: true,
    query: { schema: leadFilterQuery },
    answers: { 200: { description: 'At most one more than 1,000', schema: abandonedCheckoutsAnswer } },
    problems: ['fields-invalid'],
  },
  {
    method: 'get',
    path: '/api/admin/money/parked/{id}',
    id: 'readParkedEvent',
    tag: 'Console',
    summary: 'A parked event as Stripe sent it',
    description: 'Put on record, since it may hold whatever Stripe knows of a person.',
    isForOperators: true,
    parameters: [pathId('The event’s id', { type: 'string' })],
    answers: { 200: { description: 'The event', schema: parkedEventAnswer } },
    problems: ['not-found'],
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
  {
    method: 'post',
    path: '/api/admin/money/second-subscriptions/{id}/review',
    id: 'reviewSecondSubscription',
    tag: 'Console',
    summary: 'Say that a second live subscription of one address was looked at',
    description: 'It waits to be looked at again when it becomes a second one anew.',
    isForOperators: true,
    parameters: [pathId('The subscription’s id at Stripe', { type: 'string' })],
    answers: { 204: { description: 'Noted; once is enough' } },
    problems: ['not-found', 'origin-refused'],
  },
  {
    method: 'post',
    path: '/api/admin/money/parked/{id}/review',
    id: 'reviewParkedEvent',
    tag: 'Console',
    summary: 'Say that a parked event was looked at',
    description:
      'It stays parked, and is tried again as before; parked for another fault, it waits to be looked at again.',
    isForOperators: true,
    parameters: [pathId('The event’s id', { type: 'string' })],
    answers: { 204: { description: 'Noted; once is enough' } },
    problems: ['not-found', 'origin-refused'],
  },
];
