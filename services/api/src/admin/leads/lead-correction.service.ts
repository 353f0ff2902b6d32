import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { correctedTo, withdrawLead } from '@site/platform/outbox/retry';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import type Stripe from 'stripe';
import { problem } from '../../http/problem.ts';
import { listPaidByLead, requestUnsubscribe } from '../../subscriptions/address-change.repository.ts';
import type { AddressedSubscription } from '../../subscriptions/address-change.repository.ts';
import {
  correctPayer,
  lockForChange,
  refuseSecond,
  updateCustomerEmail,
} from '../../subscriptions/address-change.service.ts';
import { recordAction } from '../audit/audit.repository.ts';
import { insertCorrection, isCorrected } from './lead-correction.repository.ts';
import { findLead } from './lead-list.repository.ts';

export type CorrectionDeps = {
  db: Database;
  stripe: Stripe;
  syncQueue: Pick<SyncQueue, 'wake'>;
  newId: () => string;
  log: Logger;
};

/**
 * Corrects a mistyped address: creates a lead with everything else of the first, linked to it and sent on its own.
 * The first is not retried, and its address is unsubscribed and free again. What it paid for, and what else `alsoPaid`
 * names, moves to the correct address, here and at Stripe. Throws 404, 409 if it was corrected already or if the correct address has another live
 * subscription, 422 for the same address or one that Stripe refuses, 503 if Stripe is unreachable.
 */
export async function correctLead(
  { db, stripe, syncQueue, newId, log }: CorrectionDeps,
  operator: string,
  leadId: string,
  email: string,
  alsoPaid: AddressedSubscription[] = [],
): Promise<{ id: string }> {
  const id = newId();
  const first = await findLead(db, leadId);
  if (!first) throw problem('not-found', { detail: 'There is no lead with this id.' });
  if (first.emailNormalised === email.toLowerCase()) {
    const message = 'The lead already has this address';
    throw problem('fields-invalid', { detail: `email: ${message}.`, errors: [{ field: 'email', message }] });
  }
  if (await isCorrected(db, leadId)) throw problem('already-corrected');
  const paidByLead = await listPaidByLead(db, leadId);
  const others = alsoPaid.filter((other) => !paidByLead.some((paid) => toId(paid) === toId(other)));
  const paid = [...paidByLead, ...others];
  for (const subscription of paid) await refuseSecond(db, subscription, email);
  for (const { stripeCustomerId } of paid) await updateCustomerEmail(stripe, stripeCustomerId, email);
  await db.transaction(async (trx) => {
    await lockForChange(trx, paid, [first.email, email]);
    await withdrawLead(trx, leadId, correctedTo(id));
    if (!(await insertCorrection(trx, { id, email, correctedFrom: leadId }))) throw problem('already-corrected');
    for (const subscription of paid) {
      await correctPayer({ log }, trx, subscription, { email, leadId: id });
    }
    await requestUnsubscribe(trx, { id: newId(), email: first.email, leadId: id, operator });
    const detail = { correctedTo: id, ...(paid.length > 0 && { subscriptions: paid.map(toId) }) };
    await recordAction(trx, { operator, action: 'correct', subject: leadId, detail });
  });
  syncQueue
    .wake([id])
    .catch((err: unknown) => log.debug({ err, leadId: id }, 'queue not woken, the sweep will send the lead'));
  return { id };
}

const toId = ({ stripeSubscriptionId }: { stripeSubscriptionId: string }) => stripeSubscriptionId;
