import type { Database } from '@site/platform/database/connect';
import type { LeadRow } from '@site/platform/database/tables';
import { listAttempts } from '@site/platform/outbox/attempts';
import type { CallSent } from '@site/schema/calls/calls';
import { problem } from '../../http/problem.ts';
import type { ApiSettings } from '../../settings.ts';
import { findComplimentary } from '../../complimentary/complimentary.repository.ts';
import { describeBrowser } from '../../http/client.ts';
import { SHOWN, toAttempt, toLead } from './lead-answer.ts';
import type { ShownLeadRow } from './lead-answer.ts';
import { listHistory } from './lead-history.repository.ts';
import { listCheckouts, listSubscriptions } from './lead-money.repository.ts';

/** Reads a lead with its attempts, and everything else about its email. Throws 404. */
export async function readLeadDetail(
  { db, settings }: { db: Database; settings: Pick<ApiSettings, 'stripe'> },
  id: string,
): Promise<CallSent<'GET /api/admin/leads/:id'>> {
  const row = await db('leads').where({ id }).first<ShownLeadRow | undefined>(db.raw(SHOWN));
  if (!row) throw problem('not-found', { detail: 'There is no lead with this id.' });
  const [attempts, history, correctedFrom, checkouts, subscriptions, complimentary] =
    await Promise.all([
      listAttempts(db, id),
      listHistory(db, row),
      db<LeadRow>('leads').where({ correctedTo: id }).first('id', 'email'),
      listCheckouts(db, id),
      listSubscriptions(db, settings.stripe.secretKey, { leadId: id }),
      findComplimentary(db, row.emailNormalised),
    ]);
  return {
    lead: toLead(row),
    browser: describeBrowser(row.userAgent ?? undefined),
    attempts: attempts.map(toAttempt),
    history,
    correctedFrom: correctedFrom ?? null,
    checkouts,
    subscriptions,
    complimentary,
  };
}
