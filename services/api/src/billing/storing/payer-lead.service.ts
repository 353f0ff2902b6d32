import type { Database } from '@site/platform/database/connect';
import { retryLeads } from '@site/platform/outbox/retry';
import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { leadIntakeBody } from '@site/schema/lead-intake';
import type { OPERATOR_SOURCE } from '@site/schema/lead';
import { normaliseEmail } from '@site/schema/email';
import { NO_FORM } from '../../leads/client-facts.ts';
import { captureLead } from '../../leads/lead.service.ts';
import type { CaptureDeps } from '../../leads/lead.service.ts';
import { storeSubmission } from '../../leads/submission.repository.ts';
import type { CompleteCheckout } from '../reading/checkout-reading.ts';
import type { SubscriptionSnapshot } from '../reading/subscription-reading.ts';
import { listToSendAgain, willKnow } from './payer-lead.repository.ts';
import type { Payer } from './payer-lead.repository.ts';
import { listLive } from './subscription.repository.ts';

/*
 * Ensures that payers have a lead, and that it is sent. Before: `store-reading.ts`. Next: the
 * outbox.
 */

export type StripeDeps = CaptureDeps & { stripe: Stripe };

/** The sample page links to Stripe with the same campaign. */
const UPSELL_SOURCE = { utmSource: 'sample', utmMedium: 'page', utmCampaign: 'upsell' };

/**
 * Stores a payer as a lead if Beehiiv would not learn of them otherwise, because somebody else may
 * have paid for the named lead.
 */
export async function captureUnknown(
  deps: CaptureDeps,
  { id, name, phone, isUpsell }: CompleteCheckout,
  { leadId, email }: Pick<Payer, 'leadId' | 'email'>,
): Promise<string | null> {
  if (email === null || (leadId !== null && (await willKnow(deps.db, email, leadId)))) return null;
  const source = isUpsell ? UPSELL_SOURCE : {};
  return capture(deps, `checkout:${id}`, { email, fullName: name, phone, ...source });
}

/**
 * Stores a payer as a lead, once for a key. Returns the lead's id, or null if a lead cannot have
 * the email.
 */
async function capture(
  deps: Parameters<typeof captureLead>[0],
  key: string,
  payer: Record<string, unknown>,
): Promise<string | null> {
  const body = leadIntakeBody.safeParse({ formType: 'pre_buy', ...payer });
  if (body.success) return (await captureLead(deps, body.data, NO_FORM, key)).id;
  deps.log.error({ payer: key }, 'the payer’s email is not valid for a lead');
  return null;
}

/** Stripe's statuses of a running subscription. */
export const LIVE_STATUSES = new Set(['trialing', 'active', 'past_due']);
/** A checkout's own event arrives well before. */
const CHECKOUT_MS = 60 * 60_000;

/**
 * Stores the payer of a live subscription as a lead if no lead of theirs can be sent. The
 * subscription was created in the dashboard or imported. Returns the lead.
 */
export async function captureReceiver(
  deps: CaptureDeps,
  trx: Database,
  { stripeSubscriptionId, status, isFromCheckout, startedAt }: SubscriptionSnapshot,
  email: string | null,
): Promise<string | null> {
  if (email === null || !LIVE_STATUSES.has(status) || (await willKnow(trx, email, null)))
    return null;
  if (isFromCheckout && startedAt && deps.clock.now().getTime() - startedAt.getTime() < CHECKOUT_MS)
    return null;
  return capture(storingIn(trx, deps), `subscription:${stripeSubscriptionId}`, { email });
}

/**
 * Stores an email as a lead if it pays for a live subscription and a correction has just taken its
 * last lead.
 */
export async function captureStayed(
  deps: CaptureDeps,
  trx: Database,
  email: string,
): Promise<void> {
  const [paid] = await listLive(trx, email);
  if (paid !== undefined && !(await willKnow(trx, email, null)))
    await capture(storingIn(trx, deps), `subscription:${paid}`, { email });
}

/** Returns dependencies that commit a lead with the caller's transaction. */
export const storingIn = (trx: Database, deps: CaptureDeps): CaptureDeps => ({
  ...deps,
  store: (submission) => storeSubmission(trx, submission),
});

/**
 * Stores the email as a lead, once, in the caller's transaction, and returns the lead's id.
 * `source` is set if an operator named somebody who does not pay.
 */
export async function captureEmail(
  deps: CaptureDeps,
  trx: Database,
  reason: string,
  email: string,
  source: typeof OPERATOR_SOURCE | null,
): Promise<string> {
  const body = leadIntakeBody.parse({ email, formType: 'pre_buy', utmSource: source });
  const hash = createHash('sha256').update(normaliseEmail(email)).digest('hex');
  const key = `delivery:${reason}:${hash}`;
  return (await captureLead(storingIn(trx, deps), body, NO_FORM, key)).id;
}

/** Sends failed leads again, for a payment. */
export async function sendAgain(
  trx: Database,
  email: string | null,
  leadId: string | null,
): Promise<string[]> {
  return email === null ? [] : retryLeads(trx, await listToSendAgain(trx, email, leadId));
}
