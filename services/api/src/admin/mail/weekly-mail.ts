import type { Database } from '@site/platform/database/connect';
import { queryOne } from '@site/platform/database/query';
import { storeMail } from '../../mail/mail.repository.ts';
import { bindPeriod } from '../money/period.ts';
import { readWeek } from '../overview/overview.repository.ts';
import { listForMail } from './attention-mail.ts';
import type { MailDeps } from './attention-mail.ts';
import { lastMondayAtSeven, weekBefore, writeWeekly } from './weekly.ts';
import type { Week } from './weekly.ts';

/** A summary that could not be stored on its Monday is not sent late. */
const LATEST_MS = 24 * 3_600_000;

/** Stores the summary of the week that has ended, once, on Monday from 07:00 in London. */
export async function storeWeeklyMail({ settings, clock }: MailDeps, trx: Database): Promise<void> {
  const now = clock.now();
  const monday = lastMondayAtSeven(now);
  const once = `weekly ${monday.toISOString().slice(0, 10)}`;
  if (
    now.getTime() - monday.getTime() > LATEST_MS ||
    (await trx('mails').where({ once }).first('id'))
  )
    return;
  const facts = {
    at: monday,
    attention: await listForMail({ settings }, trx),
    week: await readWeekOf(trx, weekBefore(monday)),
    weekBefore: await readWeekOf(trx, weekBefore(monday, 1)),
    ahead: await readWeek(trx, monday),
  };
  await storeMail(trx, { kind: 'weekly', once, body: writeWeekly(facts, settings.publicUrl) });
}

/**
 * Reads a week's movements from their rows, and its new and lost payers from its nights, so that an
 * erasure changes neither.
 */
async function readWeekOf(
  db: Database,
  days: { startDate: string; endDate: string },
): Promise<Week> {
  return queryOne(
    db,
    `select moved.*, nights.*, last.* from (
       select count(*) filter (where kind = 'payment')::int as payments,
         coalesce(sum(pence) filter (where kind = 'payment'), 0)::bigint as paid_pence,
         count(*) filter (where kind = 'refund')::int as refunds,
         coalesce(-sum(pence) filter (where kind in ('refund', 'failed refund')), 0)::bigint as refunded_pence,
         coalesce(-sum(pence) filter (where kind in ('lost dispute', 'won dispute')), 0)::bigint as lost_pence
       from payments where currency = 'gbp' and at >= :from and at < :to
     ) moved, (
       select sum(new_payers)::int as new_payers, sum(churned)::int as churned
       from money_nights where day between :startDate and :endDate
     ) nights left join (
       select mrr_pence, on_list from money_nights where day = :endDate
     ) last on true`,
    { ...days, ...bindPeriod(days) },
  );
}
