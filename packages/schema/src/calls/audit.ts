import { z } from 'zod';
import type { Call, CallName } from './call.ts';
import { absentWhenEmpty, count, day, instant } from './request-parts.ts';

export const operatorAction = z.object({
  id: count,
  at: instant,
  operator: z.string().nullable(),
  action: z.string(),
  subject: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  /** The action's lead, if it is still stored. */
  lead: z.object({ id: z.uuid(), name: z.string(), email: z.string() }).nullable(),
});
export type OperatorAction = z.infer<typeof operatorAction>;

const auditAnswer = z.object({
  actions: z.array(operatorAction),
  nextBefore: count.nullable(),
  operators: z.array(z.string()),
});

export const ACTIONS_PER_PAGE = 100;

export const auditCalls = {
  'GET /api/admin/audit': {
    id: 'listActions',
    isForViewer: true,
    summary: 'Operators’ actions, newest first',
    query: z.object({
      startDate: absentWhenEmpty(day),
      endDate: absentWhenEmpty(day),
      before: absentWhenEmpty(z.coerce.number().int().positive()),
      operator: absentWhenEmpty(z.string().max(200)),
      action: absentWhenEmpty(z.string().max(40)),
    }),
    answers: { 200: { description: `At most ${ACTIONS_PER_PAGE} actions`, schema: auditAnswer } },
  },
} satisfies Record<CallName, Call>;
