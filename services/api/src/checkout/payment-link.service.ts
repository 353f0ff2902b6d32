import type { CallAnswer } from '@site/schema/calls/calls';
import type { BillingInterval, UpsellPlan } from '@site/schema/offer';
import { recordAction } from '../audit/audit.repository.ts';
import { claimKey } from '../audit/run-once.ts';
import type { Asked } from '../audit/run-once.ts';
import { problem } from '../http/problem.ts';
import { findNewestLead } from '../payers/payer-lead.repository.ts';
import { storeOpenCheckout } from './checkout.repository.ts';
import { askStripe, openAcceptedOrder, readKnown } from './checkout.service.ts';
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
 * refuses, and 503 if Stripe opens no checkout in time (rule 3.11b).
 */
export async function openPaymentLink(
  deps: OpeningDeps & { newId: () => string },
  { operator, key }: Asked,
  { email, plan, offer }: LinkRequest,
): Promise<CallAnswer<'POST /api/admin/people/payment-link'>> {
  const { db, settings } = deps;
  if (key !== undefined)
    await claimKey(db, { operator, key, request: ['payment-link', { email, plan, offer }] });
  // Distinguishes two presses of the button from one that is repeated.
  const caller = JSON.stringify([operator, key ?? deps.newId()]);
  return askStripe(deps, async (deadline) => {
    const leadId = (await findNewestLead(db, email)) ?? undefined;
    const known = await readKnown(deps, { email, leadId });
    if (known.standing === 'live') throw problem('already-subscribed');
    const order = {
      phase: settings.site.offerPhase,
      plan: offer ?? plan,
      isPaymentLink: true,
      returnTo: '/',
      email,
      leadId: known.leadId,
      hasTrial: known.standing === 'none',
      asksForTerms: settings.site.termsUrl !== null && known.asksForTerms,
    } as const;
    const { id, url, endsAt } = await openAcceptedOrder(deps, order, caller, deadline);
    const until = endsAt.toISOString();
    await db.transaction(async (trx) => {
      const isNew = await storeOpenCheckout(trx, { id, email, isPaymentLink: true });
      const detail = { plan: order.plan, until };
      if (isNew)
        await recordAction(trx, {
          operator,
          action: 'payment-link',
          subject: known.leadId,
          detail,
        });
    });
    return { url, endsAt: until };
  });
}
