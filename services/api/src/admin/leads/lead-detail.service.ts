import type { Database } from '@site/platform/database/connect';
import { listAttempts } from '@site/platform/outbox/attempts';
import type { CallSent } from '@site/schema/calls/calls';
import { problem } from '../../http/problem.ts';
import type { ApiSettings } from '../../settings.ts';
import { findFreeAccess } from '../../free-access/free-access.repository.ts';
import { readBrowser } from '../operators/browser.ts';
import { toAttempt, toLead } from './lead-answer.ts';
import type { ShownLeadRow } from './lead-answer.ts';
import {
  findFormerEmail,
  findShownLead,
  findSubscriber,
  listLeads,
} from './lead-detail.repository.ts';
import { listDone } from './lead-history.repository.ts';
import { toHistory } from './lead-history.ts';
import type { Subscriber } from './lead-history.ts';
import {
  listCheckouts,
  listSubscriptions,
  toCheckout,
  toSubscription,
} from './lead-money.repository.ts';

type Detail = CallSent<'GET /api/admin/leads/:id'>;
export type DetailDeps = { db: Database; settings: Pick<ApiSettings, 'stripe'> };

/** Reads a lead with its attempts, and everything else about its email. Throws 404. */
export async function readLeadDetail(deps: DetailDeps, id: string): Promise<Detail> {
  const { db } = deps;
  const lead = await findShownLead(db, id);
  if (!lead) throw problem('not-found', { detail: 'There is no lead with this id.' });
  return (await readHeld(deps, lead, await listLeads(db, lead.emailNormalised))).detail;
}

/**
 * Reads everything held about the person of a lead, once. `leads` are all of the person's leads.
 */
export async function readHeld(
  { db, settings }: DetailDeps,
  lead: ShownLeadRow,
  leads: ShownLeadRow[],
): Promise<{ detail: Detail; subscriber: Subscriber | undefined }> {
  const { id, emailNormalised } = lead;
  const person = { emailNormalised, leadIds: [...new Set([id, ...leads.map((each) => each.id)])] };
  const [attempts, formerEmail, checkouts, subscriptions, freeAccess, subscriber] =
    await Promise.all([
      listAttempts(db, id),
      findFormerEmail(db, id),
      listCheckouts(db, person),
      listSubscriptions(db, settings.stripe.secretKey, person),
      findFreeAccess(db, emailNormalised),
      findSubscriber(db, emailNormalised),
    ]);
  const subscriptionIds = subscriptions.map((each) => each.stripeSubscriptionId);
  const done = await listDone(db, { id, subscriptionIds, ...person });
  return {
    detail: {
      lead: toLead(lead),
      channel: lead.channel,
      browser: readBrowser(lead.userAgent ?? undefined),
      attempts: attempts.map(toAttempt),
      history: toHistory({ lead, leads, attempts, checkouts, subscriptions, subscriber, done }),
      formerEmail,
      checkouts: checkouts
        .filter(({ leadId, state }) =>
          leadId === null ? state !== 'open' : leadId === id || state === 'not-opened',
        )
        .map(toCheckout),
      subscriptions: subscriptions.map(toSubscription),
      freeAccess,
    },
    subscriber,
  };
}
