import type { Database } from '@site/platform/database/connect';
import { queryOne } from '@site/platform/database/query';
import { wantTier } from '@site/platform/outbox/tiers';
import type { Logger } from '@site/platform/process/logger';

/**
 * Settles each address in the transaction that changed one of its subscriptions or its free access: its tier. `payer` has just begun to pay, and so asks for the newsletter.
 */
export async function settleOwners(
  { log }: { log: Logger },
  trx: Database,
  addresses: string[],
  payer: string | null = null,
): Promise<void> {
  for (const address of addresses) {
    const { live } = await queryOne<{ live: number }>(
      trx,
      'select count(*)::int as live from subscriptions where is_live and email_normalised = ?',
      [address],
    );
    if (live > 1) log.warn({ live }, 'an address has more than one live subscription');
    const isPaid = (await settleFreeAccess(trx, address)) || live > 0;
    const isPayment = live > 0 && address === payer?.toLowerCase();
    await wantTier(trx, address, isPaid ? 'premium' : 'free', { isPayment });
  }
}

/** Returns true if the address has free access now. Notes when it ended, or that it lasts again. */
async function settleFreeAccess(trx: Database, email: string): Promise<boolean> {
  const { has } = await queryOne<{ has: boolean }>(
    trx,
    'select exists (select from free_readers where email_normalised = lower(:email)) as has',
    { email },
  );
  await trx('complimentary_access')
    .whereRaw('email_normalised = lower(?)', [email])
    .update({ endedAt: has ? null : trx.raw('coalesce(ended_at, now())') });
  return has;
}
