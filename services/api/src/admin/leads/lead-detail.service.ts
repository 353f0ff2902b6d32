import type { Database } from '@site/platform/database/connect';
import { listAttempts } from '@site/platform/outbox/attempts';
import type { LeadDetailAnswer, LeadMention } from '@site/schema/calls/leads';
import { problem } from '../../http/problem.ts';
import type { ApiSettings } from '../../settings.ts';
import { findComplimentary } from '../../subscriptions/complimentary.repository.ts';
import { describeBrowser } from '../operators/browser.ts';
import { toAttempt, toLead } from './lead-answer.ts';
import { findRelatedLeads } from './lead-detail.repository.ts';
import type { MentionRow } from './lead-detail.repository.ts';
import { findLead } from './lead-list.repository.ts';
import { listHistory } from './lead-history.repository.ts';
import { listCheckouts, listSubscriptions } from './lead-money.repository.ts';

/** Reads a lead with its attempts, and what else is known of its address. Throws 404. */
export async function readLeadDetail(
  { db, settings }: { db: Database; settings: Pick<ApiSettings, 'stripe'> },
  id: string,
): Promise<LeadDetailAnswer> {
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
    correctedTo: toMention(kin.correctedTo),
    correctedFrom: toMention(kin.correctedFrom),
    others: kin.others.map(toMention).filter((mention) => mention !== null),
    checkouts,
    subscriptions,
    complimentary: complimentary ? { ...complimentary, until: complimentary.until.toISOString() } : null,
  };
}

const toMention = (row: MentionRow | undefined): LeadMention | null =>
  row ? { ...row, submittedAt: row.submittedAt.toISOString() } : null;
