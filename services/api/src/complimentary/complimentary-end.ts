import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/process/logger';
import { listEndedComplimentary, markComplimentaryEnded } from './complimentary.repository.ts';
import { lockAddresses } from '../subscriptions/subscription.repository.ts';
import { settleOwners } from '../subscriptions/settle-owners.ts';

/** Takes premium back from addresses whose complimentary access is over, unless they pay by now. */
export async function endComplimentary({ db, log }: { db: Database; log: Logger }): Promise<void> {
  for (const email of await listEndedComplimentary(db)) {
    await db.transaction(async (trx) => {
      await settleOwners({ log }, trx, await lockAddresses(trx, [email]));
      await markComplimentaryEnded(trx, email);
    });
  }
}
