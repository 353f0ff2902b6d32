import type { CallAnswer } from '@site/schema/calls/calls';
import type { BillingInterval, UpsellPlan } from '@site/schema/offer';
import { lockPeople } from '@site/platform/people/person';
import { carryOut } from '../acts/act.ts';
import type { Asked } from '../acts/act.ts';
import { problem } from '../http/problem.ts';
import { findNewestLead } from '../billing/storing/payer-lead.repository.ts';
import { storeOpenCheckout } from '../billing/storing/checkout.repository.ts';
import {
  askStripeForVisitor,
  endSession,
  openAcceptedOrder,
  readKnown,
} from './checkout.service.ts';
import type { OpeningDeps } from './checkout.service.ts';

export type LinkRequest = {
  email: string;
  plan: BillingInterval;
  offer?: UpsellPlan | undefined;
};

/**
 * Opens a checkout for a person, for an operator who sends them its link. It ends within a day, and
 * with the person's other open checkouts once one is paid. Records the action. Throws 409 for a
 * person with a live subscription or a key used for another request, 422 for an email that Stripe
 * refuses, 503 if Stripe opens no checkout in time, and 404 for somebody who was erased meanwhile
 * (rule 3.11b).
 */
export async function openPaymentLink(
  deps: OpeningDeps & { newId: () => string },
  { operator, key }: Asked,
  { email, plan, offer }: LinkRequest,
): Promise<CallAnswer<'POST /api/admin/people/payment-link'>> {
  const { clock, settings } = deps;
  let outcome: Awaited<ReturnType<typeof storeOpenCheckout>> = 'stored';
  const { id, url, endsAt } = await carryOut(deps, {
    operator,
    key,
    request: ['payment-link', { email, plan, offer }],
    action: 'payment-link',
    detail: { plan: offer ?? plan },
    async lock(trx) {
      await lockPeople(trx, [email]);
      const leadId = (await findNewestLead(trx, email)) ?? undefined;
      const known = await readKnown(trx, clock, { email, leadId });
      return { ...known, subject: known.leadId };
    },
    check({ standing }) {
      if (standing === 'live') throw problem('already-subscribed');
    },
    ask({ requestKey, found }) {
      const order = {
        phase: settings.site.offerPhase,
        plan: offer ?? plan,
        operatorRequest: requestKey,
        returnTo: '/',
        email,
        leadId: found.leadId,
        hasTrial: found.standing === 'none',
        asksForTerms: settings.site.termsUrl !== null && found.asksForTerms,
      } as const;
      return askStripeForVisitor(deps, (deadline) =>
        openAcceptedOrder(deps, order, requestKey, deadline),
      );
    },
    async store(trx, { id, endsAt: until }, { found }) {
      const checkout = { id, email, visits: [], isPaymentLink: true };
      outcome = await storeOpenCheckout(trx, checkout, found);
      // Stores no result: the URL shows the person, so a repeat asks Stripe.
      return outcome === 'stored' ? { until } : null;
    },
  });
  if (outcome !== 'stored') {
    await endSession(deps, id);
    if (outcome === 'paid') throw problem('already-subscribed');
    throw problem('not-found', { detail: 'This person was erased meanwhile.' });
  }
  return { url, endsAt: endsAt.toISOString() };
}
