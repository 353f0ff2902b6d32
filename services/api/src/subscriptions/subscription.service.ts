import type { Clock } from '@site/platform/clock';
import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { retryLeads } from '@site/platform/outbox/retry';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { tidyEmail } from '@site/schema/email';
import { leadIntakeBody } from '@site/schema/lead';
import type { captureLead } from '../leads/lead.service.ts';
import { findCheckoutLead, isQuarantined } from './checkout-lead.repository.ts';
import type { CompleteCheckout, SubscriptionSnapshot } from './stripe-reading.ts';
import { linkCheckout, linkLead, lockSubscription, storeSnapshot } from './subscription.repository.ts';

/*
 * What Stripe says becomes a row. Webhook and thank-you page come here alike, in any order and any number
 * of times; a reading older than the stored one changes nothing.
 * Before: `stripe-reading.ts`. Next: `subscription.repository.ts`.
 */

export type SubscriptionDeps = {
  db: Database;
  clock: Clock;
  syncQueue: Pick<SyncQueue, 'wake'>;
  newId: () => string;
  log: Logger;
  captureLead: typeof captureLead;
};

/** Runs first in the transaction; an answer of false ends it without an effect. */
export type Gate = (trx: Database) => Promise<boolean>;
const alwaysOpen: Gate = () => Promise.resolve(true);

/** Brings a subscription's row to what was read. */
export async function applySubscription(
  deps: SubscriptionDeps,
  snapshot: SubscriptionSnapshot,
  gate: Gate = alwaysOpen,
): Promise<void> {
  await deps.db.transaction(async (trx) => {
    await lockSubscription(trx, snapshot.stripeSubscriptionId);
    if (await gate(trx)) await store(deps, trx, snapshot, snapshot.customerEmail);
  });
}

/**
 * Brings a completed checkout's subscription to what was read and binds it to its lead. A payer whose lead
 * was never captured becomes one here, and a lead that was held back as a robot's is released: robots do not pay.
 */
export async function applyCheckout(
  deps: SubscriptionDeps,
  checkout: CompleteCheckout,
  gate: Gate = alwaysOpen,
): Promise<void> {
  const { subscription } = checkout;
  const email = checkout.email ?? subscription.customerEmail;
  // In a transaction of its own: its key makes a repeat find the same lead, and no event may lose an address.
  const leadId = await findOrCaptureLead(deps, checkout, email);
  const released = await deps.db.transaction(async (trx) => {
    await lockSubscription(trx, subscription.stripeSubscriptionId);
    if (!(await gate(trx))) return [];
    await store(deps, trx, subscription, email);
    await linkCheckout(trx, subscription.stripeSubscriptionId, checkout);
    if (leadId === null) return [];
    await linkLead(trx, subscription.stripeSubscriptionId, leadId);
    return (await isQuarantined(trx, leadId)) ? retryLeads(trx, [leadId]) : [];
  });
  if (released.length === 0) return;
  deps.syncQueue.wake(released).catch((err: unknown) => deps.log.debug({ err, leadId }, 'lead is left to the sweep'));
}

async function store(
  { newId, log }: SubscriptionDeps,
  trx: Database,
  snapshot: SubscriptionSnapshot,
  email: string | null,
): Promise<void> {
  if (email === null) throw new Error(`subscription ${snapshot.stripeSubscriptionId} has no address`);
  const isStored = await storeSnapshot(trx, { ...snapshot, id: newId(), email: tidyEmail(email) });
  const { stripeSubscriptionId, status, leadReference } = snapshot;
  if (isStored) log.info({ stripeSubscriptionId, status }, 'subscription stored');
  const leadId = await findCheckoutLead(trx, { leadReference, email: null, begunAt: snapshot.startedAt });
  if (leadId !== null) await linkLead(trx, stripeSubscriptionId, leadId);
}

const NO_FACTS: Parameters<typeof captureLead>[2] = {
  ipAddress: null,
  userAgent: null,
  deviceType: null,
  page: null,
  country: null,
  region: null,
  city: null,
};

async function findOrCaptureLead(
  deps: SubscriptionDeps,
  { id, leadReference, createdAt, name, phone }: CompleteCheckout,
  email: string | null,
): Promise<string | null> {
  const found = await findCheckoutLead(deps.db, { leadReference, email, begunAt: createdAt });
  if (found !== null) return found;
  const body = leadIntakeBody.safeParse({ email, formType: 'pre_buy', fullName: name, phone });
  if (!body.success) {
    deps.log.error({ checkoutSession: id }, 'the address of a payer is not one a lead can have');
    return null;
  }
  const captured = await deps.captureLead(deps, body.data, NO_FACTS, `checkout:${id}`);
  return captured.id;
}
