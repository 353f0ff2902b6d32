import type { Database } from '@site/platform/database/connect';
import { lockPeople } from '@site/platform/people/person';
import { undoOwnUnsubscription } from '@site/platform/people/tier';
import type { CallSent } from '@site/schema/calls/calls';
import type { FreeAccessBody } from '@site/schema/calls/people';
import { OPERATOR_SOURCE } from '@site/schema/lead';
import { isEndOfAccess } from '@site/schema/operator-actions';
import { fieldProblem, problem } from '../http/problem.ts';
import { findNewestLead, willKnow } from '../billing/storing/payer-lead.repository.ts';
import { storeFreeAccess, wasGivenAccess } from './free-access.repository.ts';
import {
  listLive,
  lockSubscription,
  readOwner,
} from '../billing/storing/subscription.repository.ts';
import { noteRequest, recordRequest } from '../acts/act.ts';
import type { Asked } from '../acts/act.ts';
import { captureEmail } from '../billing/storing/payer-lead.service.ts';
import type { CaptureDeps } from '../leads/lead.service.ts';

const DAY_MS = 24 * 60 * 60_000;
const LONGEST_YEARS = 10;

/**
 * Gives an email the paid issue without payment, until a date or as long as a subscription is live.
 * A past date ends the access. Adds the email as a lead if necessary, so that it reaches Beehiiv.
 * Returns the live subscriptions that the email already pays for. Throws 422 for a date more than
 * ten years away, 404 for an unknown subscription or an email without access to end, and 409 for a
 * subscription that is not live.
 */
export async function giveFreeAccess(
  deps: CaptureDeps,
  asked: Asked,
  { email, ...asks }: FreeAccessBody,
): Promise<CallSent<'POST /api/admin/people/free-access'>> {
  const { db, clock } = deps;
  const { until = null, withSubscription = null, name = null, reason = null } = asks;
  if (until && until.getTime() > clock.now().getTime() + LONGEST_YEARS * 366 * DAY_MS) {
    throw fieldProblem('until', `At most ${LONGEST_YEARS} years from now`);
  }
  const request = {
    ...asked,
    request: ['free-access', { email, until, withSubscription, name, reason }],
    action: 'free-access',
    detail: until ? { until: until.toISOString() } : { withSubscription },
  } as const;
  await db.transaction(async (trx) => {
    // Locks the subscription first, so that its end finds the reader.
    if (withSubscription !== null) await lockSubscription(trx, withSubscription);
    await lockPeople(trx, [email]);
    const { requestKey, isRepeat } = await noteRequest(trx, deps.newId, request);
    if (isRepeat) return;
    if (withSubscription !== null) await refuseEnded(trx, withSubscription);
    const isEnd = until !== null && isEndOfAccess(until.toISOString(), clock.now().toISOString());
    // They were erased or corrected meanwhile.
    if (isEnd && !(await wasGivenAccess(trx, email)))
      throw problem('not-found', { detail: 'This email has no free access.' });
    if (!isEnd && !(await willKnow(trx, email, null)))
      await captureEmail(deps, trx, 'free-access', email, OPERATOR_SOURCE);
    // The record names the lead, not the email, so that an erasure leaves no trace of the email.
    const subject = await findNewestLead(trx, email);
    const { operator } = asked;
    const access = { until, withSubscription, isEnd, name, reason };
    await storeFreeAccess(trx, { email, operator, ...access });
    if (!isEnd) await undoOwnUnsubscription(trx, email);
    await recordRequest(trx, requestKey, { subject });
  });
  return { email, until, withSubscription, subscriptions: await listLive(db, email) };
}

async function refuseEnded(trx: Database, stripeSubscriptionId: string): Promise<void> {
  const owner = await readOwner(trx, stripeSubscriptionId);
  if (!owner) throw problem('not-found', { detail: 'There is no subscription with this id.' });
  if (!owner.isLive) throw problem('subscription-over');
}
