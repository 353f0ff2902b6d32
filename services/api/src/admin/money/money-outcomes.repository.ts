import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { MoneyOutcomes } from '@site/schema/calls/money-outcomes';
import { IN_POUNDS } from '../../subscriptions/payment.repository.ts';
import { bind, PEOPLE, within } from './money-people.ts';
import type { Moment } from './money-people.ts';

/** What is left to pay of an invoice `i`, and whether its card failed. */
export const UNPAID = 'coalesce(i.remaining_pence, i.total_pence - i.paid_pence)';
export const FAILED = `i.attempts > 0 and i.status <> 'paid' and ${UNPAID} > 0`;

const LATEST = 'subscriptions s join stripe_invoices i on i.id = s.latest_invoice_id';

/** Reads why people cancelled in the period, and how trials and failed cards ended. */
export async function readOutcomes(db: Database, moment: Moment): Promise<Omit<MoneyOutcomes, 'channels' | 'buttons'>> {
  const cards = async (pence: string, invoices: string) =>
    queryOne<MoneyOutcomes['cards']['lost']>(
      db,
      `select count(*)::int as count, coalesce(sum(${pence}), 0)::bigint as pence from ${invoices} and ${IN_POUNDS}`,
      bind(moment),
    );
  const [reasons, trialReasons, trials, recovered, lost, waiting] = await Promise.all([
    readReasons(db, PEOPLE.cancelled, moment),
    readReasons(
      db,
      `select cancellation_feedback from subscriptions where canceled_at <= trial_ends_at and ${within('canceled_at')}`,
      moment,
    ),
    readTrials(db, moment),
    // Stripe counts only its own attempts: the link to pay adds none.
    cards(
      'paid_pence',
      `stripe_invoices i where paid_pence > 0 and (attempts > 1 or first_failed_at is not null) and ${within('paid_at')}`,
    ),
    // Most of them had paid all, which spares looking their invoice up.
    cards(
      UNPAID,
      `${LATEST} where s.latest_invoice_status is distinct from 'paid' and ${within('s.ended_at')} and ${FAILED}`,
    ),
    cards(UNPAID, `${LATEST} where s.status in ('past_due', 'unpaid') and ${FAILED}`),
  ]);
  return { reasons, trialReasons, trials, cards: { recovered, lost, waiting } };
}

/** Counts why those of a statement cancelled, the commonest reason first. */
export async function readReasons(db: Database, people: string, moment: Moment): Promise<MoneyOutcomes['reasons']> {
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
     where trial_ends_at < :now and ${within('trial_ends_at')}`,
    bind(moment),
  );
}
