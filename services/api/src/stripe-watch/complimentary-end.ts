import { listEndedComplimentary, markComplimentaryEnded } from '../subscriptions/complimentary.repository.ts';
import { lockAddresses } from '../subscriptions/subscription.repository.ts';
import { settleOwners } from '../subscriptions/subscription.service.ts';
import type { SubscriptionDeps } from '../subscriptions/subscription.service.ts';

/** Takes premium back from addresses whose complimentary access is over, unless they pay by now. */
export async function endComplimentary({ db, log }: Pick<SubscriptionDeps, 'db' | 'log'>): Promise<void> {
  for (const email of await listEndedComplimentary(db)) {
    await db.transaction(async (trx) => {
      await settleOwners({ log }, trx, await lockAddresses(trx, [email]));
      await markComplimentaryEnded(trx, email);
    });
  }
}
