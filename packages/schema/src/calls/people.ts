import { z } from 'zod';
import { endOfLondonDay } from '../calendar.ts';
import { emailField } from '../email-field.ts';
import { SUBSCRIPTION_STAGES } from '../money.ts';
import { withoutUnstorable } from '../text.ts';
import type { Call, CallName } from './call.ts';
import { idempotencyHeader, instant } from './request-parts.ts';

const count = z.number().int();

/** `POST /api/admin/people/…`: the person's address. */
const personBody = z.object({ email: emailField });

/** The record of an erasure. */
export const erasureReceipt = z.object({
  id: z.uuid(),
  requestedBy: z.string(),
  requestedAt: instant,
  /** Rows erased here, by table. */
  erased: z.record(z.string(), count),
  /** At Beehiiv: the number of attempts, the last answer, and when the person was deleted there. */
  attempts: count,
  lastMessage: z.string().nullable(),
  reason: z.string().nullable(),
  nextAttemptAt: instant,
  /** When Beehiiv first had no such subscriber. It is asked once more, at `nextAttemptAt`. */
  deletedAt: instant.nullable(),
  doneAt: instant.nullable(),
  kept: z.string(),
});
export type ErasureReceipt = z.infer<typeof erasureReceipt>;

/** `POST /api/admin/people/complimentary`: the paid issue without payment. A day lasts to its end, in London. */
export const complimentaryBody = z.object({
  email: emailField,
  until: z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], { error: 'Must be a date or a time' })
    .transform((until) => (until.length === 10 ? endOfLondonDay(until) : new Date(until))),
});
export type ComplimentaryBody = z.infer<typeof complimentaryBody>;

export const ERASURES_SHOWN = 50;

/** `POST /api/admin/people/search`. In the body, because addresses must not appear in URLs. */
const peopleSearchBody = z.object({
  text: z.preprocess(
    (text) => (typeof text === 'string' ? withoutUnstorable(text).trim() : text),
    z.string().min(1, 'Enter something to search for').max(200, 'At most 200 characters'),
  ),
  /** The `nextCursor` of the page before. */
  cursor: z.string().max(1_000).optional(),
});

/** Leads, and subscriptions, of one person that a search lists. */
export const MAX_OF_PERSON = 20;

export const peopleCalls = {
  'POST /api/admin/people/search': {
    id: 'searchPeople',
    summary: 'Find people',
    description:
      'By address, name, company, or by Stripe’s id of a subscription, customer, invoice, charge, payment, refund, dispute or checkout, or by an invoice’s number. Those with a subscription come first, then by address.',
    body: peopleSearchBody,
    answers: {
      200: {
        description: 'At most 50 people, one for each address',
        schema: z.object({
          people: z.array(
            z.object({
              email: z.string(),
              name: z.string().nullable(),
              /** Newest first, at most `MAX_OF_PERSON`. */
              leadIds: z.array(z.uuid()),
              /** What the address pays for or receives, newest first. */
              subscriptions: z.array(z.object({ id: z.string(), stage: z.enum(SUBSCRIPTION_STAGES) })),
            }),
          ),
          nextCursor: z.string().nullable(),
        }),
      },
    },
    problems: ['stripe-refused', 'stripe-unavailable'],
  },
  'POST /api/admin/people/lookup': {
    id: 'lookUpPerson',
    summary: 'How much is held about one person',
    body: personBody,
    answers: {
      200: { description: 'Rows by table', schema: z.object({ rows: z.record(z.string(), count) }) },
    },
  },
  'POST /api/admin/people/export': {
    id: 'exportPerson',
    needsConfirmation: true,
    summary: 'Export everything held about one person',
    body: personBody,
    answers: {
      200: {
        description: 'Every row, by table',
        schema: z.object({
          email: z.string(),
          exportedAt: instant,
          consent: z.array(
            z.object({
              leadId: z.uuid(),
              agreed: z.boolean(),
              at: instant.nullable(),
              version: z.string().nullable(),
              wording: z.string().nullable(),
              page: z.string().nullable(),
            }),
          ),
          tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
          elsewhere: z.array(z.string()),
        }),
      },
    },
  },
  'POST /api/admin/people/erase': {
    id: 'erasePerson',
    needsConfirmation: true,
    summary: 'Erase one person',
    description:
      'Deletes the rows here at once, and asks Beehiiv until the subscriber is deleted. Ids, amounts and dates of payments stay, and invoices at Stripe.',
    body: personBody,
    answers: { 202: { description: 'The receipt', schema: erasureReceipt } },
    problems: ['subscription-live'],
  },
  'GET /api/admin/people/erasures': {
    id: 'listErasures',
    summary: 'Receipts of erasures, newest first',
    answers: {
      200: {
        description: `At most ${ERASURES_SHOWN} receipts`,
        schema: z.object({ erasures: z.array(erasureReceipt) }),
      },
    },
  },
  'GET /api/admin/people/complimentary': {
    id: 'listComplimentaryAccess',
    summary: 'Who has or had the paid issue without payment',
    answers: {
      200: {
        description: 'The latest end first, at most 100',
        schema: z.object({
          access: z.array(
            z.object({
              email: z.string(),
              leadId: z.uuid().nullable(),
              until: instant,
              isOver: z.boolean(),
              grantedBy: z.string(),
              grantedAt: instant,
            }),
          ),
        }),
      },
    },
  },
  'POST /api/admin/people/complimentary': {
    id: 'giveComplimentaryAccess',
    summary: 'Give an address the paid issue without payment, until a date',
    description: 'Counts as paid until then. A later call replaces the date; one that has passed ends it.',
    headers: idempotencyHeader,
    body: complimentaryBody,
    answers: {
      200: {
        description: 'Until when, and the live subscriptions that the address pays for already',
        schema: z.object({ email: z.string(), until: instant, subscriptions: z.array(z.string()) }),
      },
    },
    problems: ['key-reused'],
  },
} satisfies Record<CallName, Call>;
