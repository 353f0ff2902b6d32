import { z } from 'zod';
import { emailField } from '../email-field.ts';
import type { Call, CallName } from './call.ts';
import { count, instant } from './request-parts.ts';

/** `POST /api/admin/people/…`: the person's email. */
const personBody = z.object({ email: emailField });

/** The rows held about a person. An erasure covers former emails that nobody uses too. */
const personHeld = z.object({
  rows: z.record(z.string(), count),
  others: z.array(z.string()),
});

export const erasureReceipt = z.object({
  id: z.uuid(),
  requestedBy: z.string(),
  requestedAt: instant,
  erased: z.record(z.string(), count),
  /** At Beehiiv: the number of attempts, the last answer, and when the person was deleted there. */
  attempts: count,
  lastMessage: z.string().nullable(),
  reason: z.string().nullable(),
  nextAttemptAt: instant,
  /** When Beehiiv first had no such subscriber. The worker looks again at `nextAttemptAt`. */
  deletedAt: instant.nullable(),
  doneAt: instant.nullable(),
  kept: z.string(),
});
export type ErasureReceipt = z.infer<typeof erasureReceipt>;

export const ERASURES_SHOWN = 50;

/** Every table with rows about a person, in the order of the export. */
export const EXPORTED_TABLES = [
  'subscriptions',
  'stripe_invoices',
  'stripe_refunds',
  'stripe_disputes',
  'checkouts',
  'people',
  'leads',
  'former_emails',
  'sample_requests',
  'removal_requests',
  'notes',
  'lead_sync_attempts',
  'submission_keys',
  'bulk_retries',
  'bulk_retry_leads',
  'differences',
  'email_leases',
  'stripe_events',
  'operator_actions',
] as const;
export type ExportedTable = (typeof EXPORTED_TABLES)[number];

/** Everything held about a person: shown, exported and erased. */
export const privacyCalls = {
  'POST /api/admin/people/lookup': {
    id: 'lookUpPerson',
    isForViewer: true,
    summary: 'Count the rows about one person',
    body: personBody,
    answers: {
      200: { schema: personHeld },
    },
  },
  'POST /api/admin/people/export': {
    id: 'exportPerson',
    needsConfirmation: 'export what is held about a person',
    summary: 'Export everything held about one person',
    body: personBody,
    answers: {
      200: {
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
          tables: z.record(z.enum(EXPORTED_TABLES), z.array(z.record(z.string(), z.unknown()))),
          elsewhere: z.array(z.string()),
        }),
      },
    },
  },
  'POST /api/admin/people/erase': {
    id: 'erasePerson',
    needsConfirmation: 'erase a person',
    summary: 'Erase one person',
    description:
      'Deletes the rows here at once, and asks Beehiiv until the subscriber is deleted. Ids, ' +
      'amounts and dates of payments stay, and invoices at Stripe.',
    body: personBody,
    answers: { 202: { schema: erasureReceipt } },
    problems: ['subscription-live'],
  },
  'GET /api/admin/people/erasures': {
    id: 'listErasures',
    isForViewer: true,
    summary: 'Erasure receipts, newest first',
    answers: {
      200: {
        description: `At most ${ERASURES_SHOWN} receipts`,
        schema: z.object({ erasures: z.array(erasureReceipt) }),
      },
    },
  },
} satisfies Record<CallName, Call>;
