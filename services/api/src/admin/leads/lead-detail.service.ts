import type { Database } from '@site/platform/database/connect';
import { listAttempts } from '@site/platform/outbox/attempts';
import type { CallSent } from '@site/schema/calls/calls';
import { problem } from '../../http/problem.ts';
import type { ApiSettings } from '../../settings.ts';
import { findComplimentary } from '../../complimentary/complimentary.repository.ts';
import { describeBrowser } from '../operators/browser.ts';
import { toAttempt, toLead } from './lead-answer.ts';
import { findRelatedLeads } from './lead-detail.repository.ts';
import { findLead } from './lead-list.repository.ts';
import { listHistory } from './lead-history.repository.ts';
import { listCheckouts, listSubscriptions } from './lead-money.repository.ts';

/** Reads a lead with its attempts, and what else is known of its address. Throws 404. */
export async function readLeadDetail(
  { db, settings }: { db: Database; settings: Pick<ApiSettings, 'stripe'> },
  id: string,
): Promise<CallSent<'GET /api/admin/leads/:id'>> {
  const row = await findLead(db, id);
  if (!row) throw problem('not-found', { detail: 'There is no lead with this id.' });
  const [attempts, history, kin, checkouts, subscriptions, complimentary] = await Promise.all([
    listAttempts(db, id),
    listHistory(db, row),
    findRelatedLeads(db, row),
    listCheckouts(db, settings.stripe.secretKey, id),
    listSubscriptions(db, settings.stripe.secretKey, { leadId: id }),
    findComplimentary(db, row.emailNormalised),
  ]);
  return {
    lead: toLead(row),
    browser: describeBrowser(row.userAgent ?? undefined),
    attempts: attempts.map(toAttempt),
    history,
    correctedTo: kin.correctedTo ?? null,
    correctedFrom: kin.correctedFrom ?? null,
    checkouts,
    subscriptions,
    complimentary: complimentary ?? null,
  };
}
