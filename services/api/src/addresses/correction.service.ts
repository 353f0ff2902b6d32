import type { Database } from '@site/platform/database/connect';
import type { SubscriptionRow } from '@site/platform/database/tables';
import { withdrawLead } from '@site/platform/outbox/correction';
import type { CallAnswer } from '@site/schema/calls/calls';
import { isSameAddress, tidyEmail } from '@site/schema/email';
import { isDeepStrictEqual } from 'node:util';
import { recordAction } from '../audit/audit.repository.ts';
import { moveComplimentary } from '../complimentary/complimentary.repository.ts';
import { fieldProblem, problem } from '../http/problem.ts';
import type { CaptureDeps } from '../leads/lead.service.ts';
import { captureAddress } from '../payers/payer-lead.service.ts';
import type { PayerDeps } from '../payers/payer-lead.service.ts';
import { settleOwners } from '../subscriptions/settle-owners.ts';
import {
  correctPayer,
  lockAddresses,
  lockSubscription,
} from '../subscriptions/subscription.repository.ts';
import {
  ADDRESSED,
  findCorrectable,
  findOtherOwner,
  hasOtherLive,
  insertCorrection,
  listPaidBy,
  moveAddress,
  moveCheckouts,
  requestUnsubscribe,
} from './correction.repository.ts';
import type { AddressedSubscription, Correctable, Mistyped } from './correction.repository.ts';
import {
  changeCustomers,
  noteCustomerEmail,
  updateCustomerEmail,
} from './customer-address.service.ts';
import type { CustomerDeps } from './customer-address.service.ts';

export type CorrectionDeps = CustomerDeps & Pick<CaptureDeps, 'syncQueue' | 'newId'>;

/**
 * Corrects a lead's mistyped address, as `correctAddress` does, and names what the mistyped one still pays for: another
 * person's, as far as is known, and who else has it. Also throws 404, and 422 for the same address.
 */
export async function correctLead(
  deps: CorrectionDeps,
  operator: string,
  leadId: string,
  email: string,
): Promise<CallAnswer<'POST /api/admin/leads/:id/correct'>> {
  const lead = await deps
    .db('leads')
    .where({ id: leadId })
    .first('email', 'emailNormalised', 'fullName');
  if (!lead) throw problem('not-found', { detail: 'There is no lead with this id.' });
  if (lead.emailNormalised === email.toLowerCase()) {
    throw fieldProblem('email', 'The lead already has this address');
  }
  const mistyped = { email: lead.email, name: lead.fullName, leadId, subscriptionId: null };
  const id = await correctAddress(deps, operator, mistyped, email);
  const [stayed, keeper] = await Promise.all([
    listPaidBy(deps.db, lead.email),
    findOtherOwner(deps.db, lead.email, lead.fullName),
  ]);
  return { id, stayed, keeper };
}

/**
 * Corrects a mistyped address: each of the person's leads gets a copy with the correct one, linked to it and sent on its
 * own, and is not retried. What they paid for moves, here and at Stripe. The mistyped address is unsubscribed and free
 * again, unless somebody else uses it. Nobody who had unsubscribed is made active. Returns the first new lead; `capture` stores one if the address has none. Throws
 * 409 if it was corrected already, or if the correct address has another live subscription, 422 for an address that
 * Stripe refuses, 503 if Stripe is unreachable.
 */
async function correctAddress(
  deps: CorrectionDeps,
  operator: string,
  mistyped: Mistyped,
  email: string,
  capture?: () => Promise<string>,
): Promise<string> {
  const { db, syncQueue, log } = deps;
  const found = await findCorrectable(db, mistyped);
  if (!isNamedIn(found, mistyped)) throw problem('already-corrected');
  const ids = found.subscriptions.map(({ stripeSubscriptionId }) => stripeSubscriptionId);
  await refuseSecond(db, found.subscriptions, email);
  const copies = new Map(found.leadIds.map((leadId) => [leadId, deps.newId()]));
  const [first = await capture?.()] = copies.values();
  if (first === undefined) throw problem('already-corrected');
  const customers = found.subscriptions.map(({ stripeCustomerId }) => stripeCustomerId);
  const isDone = await changeCustomers(deps, customers, email, () =>
    db.transaction(async (trx) => {
      const addresses = await lockForChange(
        trx,
        found.withSubscription === null ? ids : [...ids, found.withSubscription],
        [mistyped.email, email],
      );
      if (!isDeepStrictEqual(await findCorrectable(trx, mistyped), found)) return false;
      await refuseSecond(trx, found.subscriptions, email);
      for (const [leadId, id] of copies) {
        await withdrawLead(trx, leadId);
        if (!(await insertCorrection(trx, { id, email, mistypedId: leadId })))
          throw problem('already-corrected');
        await moveCheckouts(trx, { leadId, id, from: mistyped.email, email });
      }
      for (const { stripeSubscriptionId, leadId } of found.subscriptions) {
        await correctPayer(trx, {
          stripeSubscriptionId,
          email,
          leadId: copies.get(leadId ?? '') ?? first,
        });
      }
      for (const customerId of customers) await noteCustomerEmail(trx, customerId, email);
      await moveComplimentary(trx, mistyped.email, email);
      await moveAddress(trx, mistyped.email, email);
      await settleOwners({ log }, trx, addresses);
      await requestUnsubscribe(trx, {
        id: deps.newId(),
        email: mistyped.email,
        leadId: first,
        operator,
      });
      await recordCorrection(trx, operator, found, copies);
      return true;
    }),
  );
  // A webhook or another operator was faster.
  if (!isDone) return correctAddress(deps, operator, mistyped, email, capture);
  void syncQueue.wake(copies.size);
  return first;
}

const isNamedIn = ({ leadIds, subscriptions }: Correctable, { leadId, subscriptionId }: Mistyped) =>
  subscriptionId === null
    ? leadIds[0] === leadId
    : subscriptions.some(({ stripeSubscriptionId }) => stripeSubscriptionId === subscriptionId);

/** Records each corrected lead with what was paid for it, and separately what was paid without one. */
async function recordCorrection(
  trx: Database,
  operator: string,
  { subscriptions }: Correctable,
  copies: Map<string, string>,
): Promise<void> {
  const [firstLead] = copies.keys();
  const leadOf = ({ leadId }: Correctable['subscriptions'][number]) =>
    leadId !== null && copies.has(leadId) ? leadId : firstLead;
  for (const [leadId, correctedToId] of copies) {
    const paid = subscriptions.filter((subscription) => leadOf(subscription) === leadId);
    const ids = paid.map(({ stripeSubscriptionId }) => stripeSubscriptionId);
    const detail = { correctedTo: correctedToId, ...(ids.length > 0 && { subscriptions: ids }) };
    await recordAction(trx, { operator, action: 'correct', subject: leadId, detail });
  }
  if (firstLead !== undefined) return;
  for (const { stripeSubscriptionId: subject } of subscriptions) {
    await recordAction(trx, { operator, action: 'correct-payer', subject });
  }
}

/**
 * Locks what a change of addresses touches, and returns the addresses, which are settled at its end. Call it before
 * touching any row. Then read again: a webhook may have stored or changed a subscription meanwhile.
 */
async function lockForChange(
  trx: Database,
  subscriptionIds: string[],
  emails: string[],
): Promise<string[]> {
  for (const id of subscriptionIds.toSorted()) await lockSubscription(trx, id);
  return lockAddresses(trx, emails);
}

/** Throws 409 if one of the subscriptions is live, and the address has a live one besides them. */
async function refuseSecond(
  db: Database,
  subscriptions: AddressedSubscription[],
  email: string,
): Promise<void> {
  const ids = subscriptions.map(({ stripeSubscriptionId }) => stripeSubscriptionId);
  if (!subscriptions.some(({ isLive }) => isLive) || !(await hasOtherLive(db, email, ids))) return;
  throw problem('already-subscribed', {
    detail: 'That address pays for another live subscription. Cancel one of the two first.',
  });
}

/** Reads a subscription's payer. Throws 404 for an unknown subscription or an erased person. */
export async function findAddresses(
  db: Database,
  stripeSubscriptionId: string,
): Promise<AddressedSubscription> {
  const found = await db<SubscriptionRow>('subscriptions')
    .where({ stripeSubscriptionId })
    .whereNotNull('email')
    .first<AddressedSubscription | undefined>(...ADDRESSED);
  if (!found) throw problem('not-found', { detail: 'There is no subscription with this id.' });
  return found;
}

export type AddressDeps = CorrectionDeps & PayerDeps;

/**
 * Corrects a subscription's email, here and for the customer at Stripe. The new address is added as a lead if it isn't
 * one, so that it reaches Beehiiv. With the stored email, gives Stripe that again if it was last seen with another.
 * Throws 404, 409 if the address has another live subscription, 422 for one that Stripe refuses, 503.
 */
export async function changeSubscriptionAddress(
  deps: AddressDeps,
  operator: string,
  stripeSubscriptionId: string,
  email: string,
): Promise<CallAnswer<'POST /api/admin/subscriptions/:id/address'>> {
  const subscription = await findAddresses(deps.db, stripeSubscriptionId);
  const { email: former, name, leadId } = subscription;
  const isSame = isSameAddress(email, former);
  const isChanged = !isSame || (await giveCustomer(deps, operator, subscription));
  if (!isSame) {
    const mistyped = { email: former, name, leadId, subscriptionId: stripeSubscriptionId };
    const capture = () => captureAddress(deps, stripeSubscriptionId, email, null);
    await correctAddress(deps, operator, mistyped, email, capture);
  }
  return { email: isSame ? former : tidyEmail(email), isChanged };
}

/** Gives Stripe's customer the payer's address again, if Stripe was last seen with another. */
async function giveCustomer(
  { db, stripe }: AddressDeps,
  operator: string,
  { stripeSubscriptionId, stripeCustomerId, email }: AddressedSubscription,
): Promise<boolean> {
  const { customerEmail } = await db('subscriptions')
    .where({ stripeSubscriptionId })
    .first('customerEmail');
  if (customerEmail === null || isSameAddress(customerEmail, email)) return false;
  await updateCustomerEmail(stripe, stripeCustomerId, email);
  await db.transaction(async (trx) => {
    await noteCustomerEmail(trx, stripeCustomerId, email);
    await recordAction(trx, {
      operator,
      action: 'restore-customer',
      subject: stripeSubscriptionId,
    });
  });
  return true;
}
