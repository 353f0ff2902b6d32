import type { Database } from '@site/platform/database/connect';
import { moveLeads } from '@site/platform/outbox/correction';
import { lockPeople } from '@site/platform/people/person';
import { activatePayer, undoOwnUnsubscription } from '@site/platform/people/tier';
import type { CallAnswer } from '@site/schema/calls/calls';
import { isSameEmail, tidyEmail } from '@site/schema/email';
import { isDeepStrictEqual } from 'node:util';
import { recordAction } from '../audit/audit.repository.ts';
import { moveFreeAccess } from '../free-access/free-access.repository.ts';
import { fieldProblem, problem } from '../http/problem.ts';
import { captureEmail, captureStayed } from '../billing/storing/payer-lead.service.ts';
import type { StripeDeps } from '../billing/storing/payer-lead.service.ts';
import {
  isStripeError,
  isStripeRefusal,
  orMissing,
  toLoggedFailure,
  toLoggedStripeError,
} from '../stripe/stripe-failure.ts';
import { findLead } from '../leads/lead.repository.ts';
import { expireCheckouts } from '../billing/storing/expire-checkouts.ts';
import {
  correctPayer,
  lockSubscription,
  readStanding,
} from '../billing/storing/subscription.repository.ts';
import {
  findCorrectable,
  hasOtherLive,
  listPaidBy,
  moveCheckoutsAndNotes,
  requestUnsubscribe,
  findOwned,
  readStoredEmail,
  storeCustomerEmail,
} from './correction.repository.ts';
import type { OwnedSubscription, Correctable, Mistyped, Move } from './correction.repository.ts';

type CustomerDeps = Pick<StripeDeps, 'db' | 'stripe' | 'log'>;

/**
 * Corrects a lead's mistyped email, as `correctEmail` does. Lists the subscriptions that the
 * mistyped email still pays for, which may be another person's. Also throws 404, and 422 for the
 * same email.
 */
export async function correctLead(
  deps: StripeDeps,
  operator: string,
  leadId: string,
  email: string,
): Promise<CallAnswer<'POST /api/admin/leads/:id/correct'>> {
  const lead = await findLead(deps.db, leadId);
  if (!lead) throw problem('not-found', { detail: 'There is no lead with this id.' });
  if (isSameEmail(email, lead.emailNormalised)) {
    throw fieldProblem('email', 'The lead already has this email');
  }
  const mistyped = { email: lead.email, name: lead.fullName, leadId, subscriptionId: null };
  await correctEmail(deps, operator, mistyped, email);
  return { id: leadId, stayed: await listPaidBy(deps.db, lead.email) };
}

/**
 * Corrects a subscription's email. Adds the new email as a lead if necessary, so that it reaches
 * Beehiiv. Changes nothing if the subscription has this email. Throws as `correctEmail` does, and
 * 404.
 */
export async function changeSubscriptionEmail(
  deps: StripeDeps,
  operator: string,
  stripeSubscriptionId: string,
  email: string,
): Promise<CallAnswer<'POST /api/admin/subscriptions/:id/email'>> {
  const { email: former, name, leadId } = await findOwner(deps.db, stripeSubscriptionId);
  if (isSameEmail(email, former)) return { email: former };
  const mistyped = { email: former, name, leadId, subscriptionId: stripeSubscriptionId };
  const capture = (trx: Database) => captureEmail(deps, trx, stripeSubscriptionId, email, null);
  await correctEmail(deps, operator, mistyped, email, capture);
  return { email: tidyEmail(email) };
}

/** Reads a subscription's payer. Throws 404 for an unknown subscription or an erased person. */
export async function findOwner(
  db: Database,
  stripeSubscriptionId: string,
): Promise<OwnedSubscription> {
  const found = await findOwned(db, stripeSubscriptionId);
  if (!found) throw problem('not-found', { detail: 'There is no subscription with this id.' });
  return found;
}

/**
 * Moves the person's leads to the correct email, where they are sent. The person's subscriptions
 * move too, at Stripe first. The mistyped email is unsubscribed and free again, unless somebody
 * else uses it. The payer of a live subscription is made active once, even if the correct email had
 * unsubscribed, because the payment is their own. If we had unsubscribed the correct email, that
 * is undone. Nobody else is reactivated. Open checkouts of a payer end. `capture` stores a lead if
 * none moves. Throws 409 if the email was already corrected or the correct email has another live
 * subscription, 422 for an email that Stripe refuses, and 503 if Stripe is unreachable.
 */
async function correctEmail(
  deps: StripeDeps,
  operator: string,
  mistyped: Mistyped,
  email: string,
  capture?: (trx: Database) => Promise<string>,
): Promise<void> {
  const { db, syncQueue } = deps;
  const found = await findCorrectable(db, mistyped);
  if (!isNamedIn(found, mistyped)) throw problem('already-corrected');
  await refuseSecond(db, found.subscriptions, email);
  const customers = [...new Set(found.subscriptions.map((each) => each.stripeCustomerId))];
  const isDone = await changeCustomers(deps, customers, email, () =>
    db.transaction(async (trx) => {
      const ids = found.subscriptions.map((each) => each.stripeSubscriptionId);
      // Takes the locks in this order and before any row, so that two transactions cannot wait for
      // each other.
      const locked = found.withSubscription === null ? ids : [...ids, found.withSubscription];
      for (const id of locked.toSorted()) await lockSubscription(trx, id);
      await lockPeople(trx, [mistyped.email, email]);
      if (!isDeepStrictEqual(await findCorrectable(trx, mistyped), found)) return false;
      await refuseSecond(trx, found.subscriptions, email);
      const first = found.leadIds[0] ?? (await capture?.(trx));
      if (first === undefined) throw problem('already-corrected');
      const move = { from: mistyped.email, to: email, leadIds: found.leadIds, operator };
      await movePerson(trx, found, move, { id: deps.newId(), leadId: first });
      await captureStayed(deps, trx, mistyped.email);
      for (const id of ids) await activatePayer(trx, id);
      await undoOwnUnsubscription(trx, email);
      await recordCorrection(trx, operator, ids, found.leadIds);
      return true;
    }),
  );
  // A webhook or another operator was faster.
  if (!isDone) return correctEmail(deps, operator, mistyped, email, capture);
  void syncQueue.wake(found.leadIds.length);
  if ((await readStanding(db, email)) === 'live')
    await expireCheckouts(deps, email, null).catch((error: unknown) =>
      deps.log.warn(toLoggedFailure(error), 'checkouts of a corrected payer may still be open'),
    );
}

const isNamedIn = ({ leadIds, subscriptions }: Correctable, { leadId, subscriptionId }: Mistyped) =>
  subscriptionId === null
    ? leadIds[0] === leadId
    : subscriptions.some(({ stripeSubscriptionId }) => stripeSubscriptionId === subscriptionId);

/** Throws 409 if one of the subscriptions is live and the email has another live subscription. */
async function refuseSecond(
  db: Database,
  subscriptions: OwnedSubscription[],
  email: string,
): Promise<void> {
  const ids = subscriptions.map(({ stripeSubscriptionId }) => stripeSubscriptionId);
  if (!subscriptions.some(({ isLive }) => isLive) || !(await hasOtherLive(db, email, ids))) return;
  throw problem('already-subscribed', {
    detail: 'That email pays for another live subscription. Cancel one of the two first.',
  });
}

/** Moves a person's leads, subscriptions, checkouts, free access and notes to the correct email. */
async function movePerson(
  trx: Database,
  { subscriptions }: Correctable,
  move: Move,
  unsubscription: { id: string; leadId: string },
): Promise<void> {
  const { from, to, leadIds, operator } = move;
  await moveLeads(trx, { leadIds, email: tidyEmail(to), operator });
  for (const { stripeSubscriptionId, stripeCustomerId, leadId } of subscriptions) {
    const ownLead = leadId !== null && leadIds.includes(leadId) ? leadId : unsubscription.leadId;
    await correctPayer(trx, { stripeSubscriptionId, email: to, leadId: ownLead });
    await storeCustomerEmail(trx, stripeCustomerId, to);
  }
  await requestUnsubscribe(trx, { ...unsubscription, email: from, operator });
  await moveCheckoutsAndNotes(trx, move);
  await moveFreeAccess(trx, from, to);
}

/**
 * Records each corrected lead, the first with the subscriptions, or the subscriptions without a
 * lead.
 */
async function recordCorrection(
  trx: Database,
  operator: string,
  subscriptions: string[],
  leadIds: string[],
): Promise<void> {
  for (const subject of leadIds) {
    const isPaid = subject === leadIds[0] && subscriptions.length > 0;
    const action = isPaid ? 'correct-payer' : 'correct';
    await recordAction(trx, {
      operator,
      action,
      subject,
      ...(isPaid && { detail: { subscriptions } }),
    });
  }
  if (leadIds.length > 0) return;
  for (const subject of subscriptions)
    await recordAction(trx, { operator, action: 'correct-payer', subject });
}

/**
 * Changes the customers' email at Stripe first, because Stripe may refuse it, then runs `store`.
 * Unless `store` returns true, Stripe gets the stored email back. Throws 422 if Stripe refuses the
 * email, and 503 if Stripe is unreachable. If the process ends halfway, the customer's next reading
 * shows the difference to an operator.
 */
async function changeCustomers(
  deps: CustomerDeps,
  customerIds: string[],
  email: string,
  store: () => Promise<boolean>,
): Promise<boolean> {
  const changed: string[] = [];
  let isStored = false;
  try {
    for (const customerId of customerIds) {
      changed.push(customerId);
      // A customer deleted at Stripe needs no change.
      await orMissing(deps.stripe.customers.update(customerId, { email }));
    }
    isStored = await store();
    return isStored;
  } catch (error) {
    if (!isStripeError(error)) throw error;
    if (isStripeRefusal(error) && error.param === 'email')
      throw fieldProblem('email', 'Stripe does not accept this email');
    const detail = 'Stripe did not change the customer’s email. Nothing was changed here.';
    throw problem('stripe-unavailable', { detail, retryAfterSeconds: 5 }, { cause: error });
  } finally {
    if (!isStored) for (const customerId of changed) await giveStoredEmail(deps, customerId);
  }
}

/** Gives Stripe a customer's stored email. Logs a failure. */
async function giveStoredEmail(
  { db, stripe, log }: CustomerDeps,
  stripeCustomerId: string,
): Promise<void> {
  try {
    const email = await readStoredEmail(db, stripeCustomerId);
    // The person was erased.
    if (email === null) return;
    await orMissing(stripe.customers.update(stripeCustomerId, { email }));
    log.info({ stripeCustomerId }, 'customer at stripe has the stored email again');
  } catch (err) {
    log.warn(
      { ...toLoggedStripeError(err), stripeCustomerId },
      'customer at stripe may have another email',
    );
  }
}
