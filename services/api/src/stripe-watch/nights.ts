import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { addDays, londonDate } from '@site/schema/calendar';
import {
  listNights,
  readKnownSince,
  readLastNight,
  readList,
  readStandingOf,
  storeNight,
} from '../subscriptions/money-night.repository.ts';

const NOT_KNOWN = { onList: null, listJoined: null, listLeft: null };
const dayBefore = (day: string) =>
  addDays(new Date(`${day}T00:00:00Z`), -1)
    .toISOString()
    .slice(0, 10);

/**
 * Stores how the London day that has just ended left subscriptions and the list. The first time, and after a gap, also
 * the ends of the months before: counted backwards from the dates of today's rows, since money is known. Any process may
 * do it, and a night is stored once.
 */
export async function recordNights({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const now = clock.now();
  const yesterday = dayBefore(londonDate(now));
  const last = await readLastNight(db);
  if (last !== null && last >= yesterday) return;
  let after = last ?? dayBefore(await readKnownSince(db));
  if (after >= yesterday) return;
  for (const day of await listNights(db, after, yesterday)) {
    const isPast = day !== yesterday;
    const span = { after, day, now };
    const list = isPast ? NOT_KNOWN : await readList(db, span);
    await storeNight(db, { day, ...list, ...(await readStandingOf(db, span, { isPast })) });
    after = day;
  }
}
