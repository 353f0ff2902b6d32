import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { dayBefore, londonDate } from '@site/schema/calendar';
import {
  isReceiving,
  listDueNights,
  readList,
  readStandingOf,
  storeNight,
} from '../subscriptions/money-night.repository.ts';

const NOT_KNOWN = { onList: null, listJoined: null, listLeft: null };

/**
 * Stores how the London day that has just ended left subscriptions and the list. The first time, after a gap, and if older
 * payments have become known, also the ends of the months before, counted backwards from the dates of today's rows. Any process
 * may do it.
 */
export async function recordNights({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const now = clock.now();
  const yesterday = dayBefore(londonDate(now));
  const due = await listDueNights(db, yesterday);
  if (due.length > 1 && (await isReceiving(db))) return;
  for (const { after, day } of due) {
    const isPast = day !== yesterday;
    const span = { after, day, now };
    const list = isPast ? NOT_KNOWN : await readList(db, span);
    await storeNight(db, { day, ...list, ...(await readStandingOf(db, span, { isPast })) });
  }
}
