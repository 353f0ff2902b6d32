import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import { wantTier } from '@site/platform/people/tier';
import type { Logger } from '@site/platform/process/logger';
import { isSameEmail } from '@site/schema/email';

/**
 * Refreshes each person's row and tier, in the transaction that changed their subscription or free
 * access. `payer` has just begun to pay, and so asks for the newsletter.
 */
export async function refreshOwners(
  { log }: { log: Logger },
  trx: Database,
  emails: string[],
  payer: string | null = null,
): Promise<void> {
  for (const email of emails) {
    const { live } = await queryOne<{ live: number }>(
      trx,
      'select count(*)::int as live from subscriptions where is_live and email_normalised = ?',
      [email],
    );
    if (live > 1) log.warn({ live }, 'an email has more than one live subscription');
    const free = await query(trx, 'select from free_readers where email_normalised = ?', [email]);
    const isPaid = live > 0 || free.length > 0;
    const isPayment = live > 0 && payer !== null && isSameEmail(email, payer);
    await wantTier(trx, email, isPaid ? 'premium' : 'free', { isPayment });
  }
}
