import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { MoneyOutcomes } from '@site/schema/calls/money-outcomes';
import { bind, PEOPLE } from './money-people.ts';
import type { Moment } from './money-people.ts';

/** Reads why people cancelled in the period, and how trials ended. */
export async function readOutcomes(
  db: Database,
  moment: Moment,
): Promise<Omit<MoneyOutcomes, 'channels' | 'buttons'>> {
  const [reasons, trialReasons, trials] = await Promise.all([
    readReasons(db, PEOPLE.cancelled, moment),
    readReasons(db, PEOPLE['trials-cancelled'], moment),
    readTrials(db, moment),
  ]);
  return { reasons, trialReasons, trials };
}

/** Counts why those of a statement cancelled, the commonest reason first. */
export async function readReasons(
  db: Database,
  people: string,
  moment: Moment,
): Promise<MoneyOutcomes['reasons']> {
  return query(
    db,
    `select cancellation_feedback as reason, count(*)::int as count from (${people}) people group by 1 order by 2 desc, 1`,
    bind(moment),
  );
}

/** Counts the trials that ended in the period, and those that have paid since. */
export async function readTrials(db: Database, moment: Moment): Promise<MoneyOutcomes['trials']> {
  return queryOne(
    db,
    `select count(*)::int as ended, count(first_paid_at)::int as became_payers from subscriptions
     where trial_ends_at < :now and trial_ends_at >= :from and trial_ends_at < :to`,
    bind(moment),
  );
}
