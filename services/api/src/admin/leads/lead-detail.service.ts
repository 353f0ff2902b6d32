import type { Database } from '@site/platform/database/connect';
import type { CallSent } from '@site/schema/calls/calls';
import { problem } from '../../http/problem.ts';
import type { ApiSettings } from '../../settings.ts';
import { readBrowser } from '../operators/browser.ts';
import { toLead } from './lead-answer.ts';
import type { ShownLeadRow } from './lead-answer.ts';
import { findShownLead, listLeadsOf, readPersonRow } from './lead-detail.repository.ts';
import type { Person } from './lead-detail.repository.ts';
import { listHistory } from './lead-history.repository.ts';
import { listCheckouts, listSubscriptions, toCheckout } from './lead-money.repository.ts';

type Detail = CallSent<'GET /api/admin/leads/:id'>;
export type DetailDeps = { db: Database; settings: Pick<ApiSettings, 'stripe'> };

/** Reads a lead with its history, and everything else about its email. Throws 404. */
export async function readLeadDetail(deps: DetailDeps, id: string): Promise<Detail> {
  const { db } = deps;
  const lead = await findShownLead(db, id);
  if (!lead) throw problem('not-found', { detail: 'There is no lead with this id.' });
  return (await readHeld(deps, lead, await listLeadsOf(db, lead.emailNormalised))).detail;
}

/**
 * Reads everything held about the person of a lead, once. `leads` are all of the person's leads.
 */
export async function readHeld(
  { db, settings }: DetailDeps,
  lead: ShownLeadRow,
  leads: ShownLeadRow[],
): Promise<{ detail: Detail; person: Person }> {
  const { id, emailNormalised } = lead;
  const owner = { emailNormalised, leadIds: [...new Set([id, ...leads.map((each) => each.id)])] };
  const [checkouts, subscriptions, person] = await Promise.all([
    listCheckouts(db, owner),
    listSubscriptions(db, settings.stripe.secretKey, owner),
    readPersonRow(db, emailNormalised),
  ]);
  const subscriptionIds = subscriptions.map((each) => each.stripeSubscriptionId);
  return {
    detail: {
      lead: toLead(lead),
      channel: lead.channel,
      browser: readBrowser(lead.userAgent ?? undefined),
      history: await listHistory(db, { id, subscriptionIds, ...owner }),
      formerEmail: lead.formerEmail,
      checkouts: checkouts
        .filter(({ leadId, state }) =>
          leadId === null ? state !== 'open' : leadId === id || state === 'not-opened',
        )
        .map(toCheckout),
      subscriptions,
      freeAccess: person.freeAccess,
    },
    person,
  };
}
