import type { Database } from '@site/platform/database/connect';
import { queryOne } from '@site/platform/database/query';
import { wantTier } from '@site/platform/outbox/tiers';
import type { Logger } from '@site/platform/process/logger';
import { markSecondLive } from './subscription.repository.ts';

/**
 * Settles each address in the transaction that changed one of its subscriptions: its tier if it receives one, and
 * whether it has more than one. `payer` has just begun to pay, and so asks for the newsletter.
 */
export async function settleOwners(
  { log }: { log: Logger },
  trx: Database,
  addresses: string[],
  payer: string | null = null,
): Promise<void> {
  for (const address of addresses) {
    const { live, received } = await markSecondLive(trx, address);
    if (live > 1) log.warn({ live }, 'an address has more than one live subscription');
    const isPaid = received > 0 || (await hasComplimentary(trx, address));
    const isPayment = received > 0 && address === payer?.toLowerCase();
    await wantTier(trx, address, isPaid ? 'premium' : 'free', { isPayment });
  }
}

/** True if the address has complimentary access now. */
async function hasComplimentary(trx: Database, email: string): Promise<boolean> {
  const row = await queryOne<{ has: boolean }>(
    trx,
    `select exists (select from complimentary_access where email_normalised = lower(:email) and until > now()) as has`,
    { email },
  );
  return row.has;
}
