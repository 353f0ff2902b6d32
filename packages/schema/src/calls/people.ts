import { z } from 'zod';
import { endOfLondonDay } from '../calendar.ts';
import { emailField } from '../email-field.ts';
import { REMEDIES } from '../differences.ts';
import { BILLING_INTERVALS, UPSELL_PLANS, UPSELLS } from '../offer.ts';
import { PEOPLE_GROUPS, PEOPLE_SORTS } from '../people-order.ts';
import { PEOPLE_LISTS, PERSON_STATES, STATE_REASONS } from '../person-state.ts';
import { lead } from '../stored-lead.ts';
import type { Call, CallName } from './call.ts';
import { difference } from './differences.ts';
import { leadDetailAnswer } from './leads.ts';
import { notReceivingPayer } from './money.ts';
import {
  amount,
  count,
  day,
  idempotencyHeader,
  instant,
  noteText,
  tidyText,
} from './request-parts.ts';
import { subscriptionParams } from './subscriptions.ts';

const personNote = z.object({
  id: z.uuid(),
  text: z.string(),
  operator: z.string(),
  createdAt: instant,
});

export const MAX_FREE_TEXT = 200;
const freeText = z.preprocess(
  tidyText,
  z.string().max(MAX_FREE_TEXT, `At most ${MAX_FREE_TEXT} characters`).optional(),
);

/**
 * The paid issue without payment: until a date, which lasts to its end in London, or with a
 * subscription.
 */
export const freeAccessBody = z
  .object({
    email: emailField,
    until: z
      .union([z.iso.datetime({ offset: true }), z.iso.date()], {
        error: 'Must be a date or a time',
      })
      .transform((until) => (until.length === 10 ? endOfLondonDay(until) : new Date(until)))
      .optional(),
    withSubscription: subscriptionParams.shape.id.optional(),
    /** Without a name or reason, the earlier one stays. An empty text removes it. */
    name: freeText,
    reason: freeText,
  })
  .refine(
    ({ until, withSubscription }) => (until === undefined) !== (withSubscription === undefined),
    {
      error: 'Name either a date or a subscription',
      path: ['until'],
    },
  );
export type FreeAccessBody = z.infer<typeof freeAccessBody>;

/** A person's state, the same in every answer. */
const personState = z.object({
  state: z.enum(PERSON_STATES),
  /** The start of the state, if known. */
  since: instant.nullable(),
  /** The end of a trial, free access or a cancelled subscription. */
  until: instant.nullable(),
  reason: z.enum(STATE_REASONS).nullable(),
});

/** The maximum number of people on the pages of a list. */
export const MAX_PEOPLE = 1_000;
/**
 * The most people that a search returns. Each person found is read from anywhere among ten million.
 */
export const MAX_FOUND = 200;

/** `POST /api/admin/people/search`. In the body, because emails must not appear in URLs. */
const peopleSearchBody = z.object({
  /** Without a text, the newest people are listed. */
  text: z.preprocess(tidyText, z.string().max(200, 'At most 200 characters').optional()),
  state: z.enum(PEOPLE_LISTS).optional(),
  group: z.enum(PEOPLE_GROUPS).optional(),
  plan: z.enum(BILLING_INTERVALS).optional(),
  /** Days of the start of the state, in London. */
  startDate: day.optional(),
  endDate: day.optional(),
  sort: z.enum(PEOPLE_SORTS).optional(),
  cursor: z.number().int().min(0).max(MAX_PEOPLE).optional(),
});
export type PeopleSearch = z.output<typeof peopleSearchBody>;

/** Leads of one person that a search lists. */
export const MAX_OF_PERSON = 20;

/** The maximum number of people on the list that are counted. */
export const MAX_LISTED = 10_000;

const foundPerson = personState.extend({
  email: z.string(),
  name: z.string().nullable(),
  /** The email's leads, the newest first, at most `MAX_OF_PERSON`. */
  leadIds: z.array(z.uuid()),
  lead: lead
    .pick({
      formType: true,
      submittedAt: true,
      beehiivStatus: true,
      beehiivReason: true,
      subscriberStatus: true,
      utmSource: true,
    })
    .extend({ quarantineReason: z.string().nullable() })
    .nullable(),
  /** The subscription that decides the state: running before ended, then paid before unpaid. */
  subscription: z.object({ plan: z.enum(BILLING_INTERVALS), amountPence: count }).nullable(),
  /** Why they have free access, in the operator's words. */
  freeReason: z.string().nullable(),
  /** The sum of their rows of Money in, pounds before other currencies. */
  moneyIn: z.array(amount),
  foundIn: z
    .object({
      kind: z.enum([
        'name',
        'email',
        'former-email',
        'company',
        'phone',
        'note',
        'invoice',
        'stripe',
      ]),
      text: z.string().nullable(),
    })
    .nullable(),
});
export type FoundPerson = z.infer<typeof foundPerson>;

/** The characters of a note, and the notes of a person that are listed. */
export const MAX_NOTES = 200;

const leadParams = z.object({ id: z.uuid().describe('Any lead of the person’s email') });

/** The content of a person's panel: the requested lead, with everything else about the person. */
const personAnswer = leadDetailAnswer.extend({
  ...personState.shape,
  /** The payer's own, else the newest that was given. */
  name: z.string().nullable(),
  /** The id of the subscription that decides the state. */
  mainSubscription: z.string().nullable(),
  /** In the order of `leadIds`. */
  leads: z.array(lead),
  notReceiving: notReceivingPayer.nullable(),
  /** The last comparison's differences about the person that have a remedy. */
  differences: z.array(
    difference.pick({ id: true, isRequested: true }).extend({ remedy: z.enum(REMEDIES) }),
  ),
  subscriber: z.object({ status: z.string(), learnedAt: instant }).nullable(),
  /**
   * Readers with these subscriptions, or the payer of the free access, with their status at
   * Beehiiv.
   */
  others: z.array(z.object({ email: z.string(), leadId: z.uuid(), status: z.string().nullable() })),
});
export type PersonAnswer = z.infer<typeof personAnswer>;

export const peopleCalls = {
  'POST /api/admin/people/search': {
    id: 'searchPeople',
    isForViewer: true,
    summary: 'Find people',
    description:
      'By email (a whole email that is known finds its person alone), name, company, ' +
      'telephone number or note, or by Stripe’s id of a subscription, customer, invoice, ' +
      'charge, payment, refund, dispute or checkout, or by an invoice’s number. Payers who do ' +
      'not receive come first, then payments in doubt or failed, trials, payers, those with ' +
      'free access or an ended subscription, and the list; in each the newest first. Without ' +
      'a text, the newest of all.',
    body: peopleSearchBody,
    answers: {
      200: {
        description: 'At most 50 people, one for each email',
        schema: z.object({
          people: z.array(foundPerson),
          /**
           * The number of people found, or of everybody without a text, by state. Without a text it
           * ignores the list's filter.
           */
          counts: z.record(z.enum(PEOPLE_LISTS), count),
          /** True if more people match than were counted. */
          isCapped: z.boolean(),
          nextCursor: count.nullable(),
        }),
      },
    },
    problems: ['stripe-refused', 'stripe-unavailable'],
  },
  'POST /api/admin/people/csv': {
    id: 'exportPeople',
    summary: 'People as CSV',
    description: 'All whom the same search lists, in its order, as one consistent snapshot.',
    body: peopleSearchBody.omit({ cursor: true }),
    answers: { 200: { contentType: 'text/csv', schema: z.string() } },
    problems: ['stripe-refused', 'stripe-unavailable'],
  },
  'GET /api/admin/leads/:id/person': {
    id: 'readPerson',
    isForViewer: true,
    summary: 'Everything about the person of a lead',
    params: leadParams,
    answers: { 200: { schema: personAnswer } },
    problems: ['not-found'],
  },
  'GET /api/admin/leads/:id/notes': {
    id: 'listNotes',
    isForViewer: true,
    summary: 'Notes about the person of a lead',
    params: leadParams,
    answers: {
      200: {
        description: `Newest first, at most ${MAX_NOTES}`,
        schema: z.object({ notes: z.array(personNote) }),
      },
    },
    problems: ['not-found'],
  },
  'POST /api/admin/leads/:id/notes': {
    id: 'writeNote',
    summary: 'Write a note about the person of a lead',
    description:
      'It belongs to the email, goes with a correction of it, and is exported and erased with ' +
      'the person.',
    params: leadParams,
    body: z.object({
      text: noteText,
    }),
    answers: { 201: { schema: personNote } },
    problems: ['not-found'],
  },
  'DELETE /api/admin/leads/:id/notes/:noteId': {
    id: 'deleteNote',
    summary: 'Delete a note about the person of a lead',
    params: leadParams.extend({ noteId: z.uuid() }),
    answers: { 204: {} },
    problems: ['not-found'],
  },
  'POST /api/admin/people/payment-link': {
    id: 'makePaymentLink',
    summary: 'Open a checkout for a person without a live subscription',
    description:
      'Stripe keeps it for at most a day. It counts in no conversion. The same key again returns ' +
      'the same checkout.',
    headers: idempotencyHeader,
    body: z
      .object({
        email: emailField,
        plan: z.enum(BILLING_INTERVALS),
        /** A discount of the plan. */
        offer: z.enum(UPSELL_PLANS).optional(),
      })
      .refine(({ plan, offer }) => !offer || UPSELLS[offer].interval === plan, {
        error: 'Must be an offer of the plan',
        path: ['offer'],
      }),
    answers: {
      200: {
        description: 'The link, and when it ends',
        schema: z.object({ url: z.url(), endsAt: instant }),
      },
    },
    problems: ['key-reused', 'not-found', 'already-subscribed', 'stripe-unavailable'],
  },
  'POST /api/admin/people/free-access': {
    id: 'giveFreeAccess',
    summary: 'Give an email the paid issue without payment, until a date or with a subscription',
    description:
      'Counts as paid until then, or as long as the subscription is live. A later call ' +
      'replaces it; a date that has passed ends it.',
    headers: idempotencyHeader,
    body: freeAccessBody,
    answers: {
      200: {
        description: 'How long, and the live subscriptions that the email pays for already',
        schema: z.object({
          email: z.string(),
          until: instant.nullable(),
          withSubscription: z.string().nullable(),
          subscriptions: z.array(z.string()),
        }),
      },
    },
    problems: ['key-reused', 'not-found', 'subscription-over'],
  },
} satisfies Record<CallName, Call>;
