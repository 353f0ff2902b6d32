import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import { findConditions } from '@site/platform/health/sync-conditions';
import { readSyncFacts } from '@site/platform/health/sync-facts';
import { storeMail } from '../../mail/mail.repository.ts';
import { bindPeriod } from '../money/period.ts';
import { readWeek } from '../overview/overview.repository.ts';
import { listForMail } from './attention-mail.ts';
import type { MailDeps } from './attention-mail.ts';
import { lastMondayAtSeven, weekBefore, writeWeekly } from './weekly.ts';
import type { Week, WeeklyFacts } from './weekly.ts';

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
  const facts = await readWeeklyFacts(trx, monday, settings);
  await storeMail(trx, { kind: 'weekly', once, body: writeWeekly(facts, settings.publicUrl) });
}

async function readWeeklyFacts(
  db: Database,
  at: Date,
  settings: MailDeps['settings'],
): Promise<WeeklyFacts> {
  const { maxPendingMs, isProduction } = settings;
  const days = weekBefore(at);
  const period = bindPeriod(days);
  const [worst] = findConditions(await readSyncFacts(db), maxPendingMs, isProduction);
  return {
    at,
    attention: await listForMail({ settings }, db),
    week: await readWeekOf(db, days),
    weekBefore: await readWeekOf(db, weekBefore(at, 1)),
    channels: await query(
      db,
      `select channel_of(l.visit_utm_source, l.referrer) as name, count(*)::int as payers
       from subscriptions left join leads l on l.id = lead_id where first_paid_at >= :from and first_paid_at < :to
       group by 1 order by 2 desc, 1 limit 5`,
      period,
    ),
    reasons: await query(
      db,
      `select cancellation_feedback as reason, count(*)::int as cancellations from subscriptions
       where first_paid_at is not null and ended_at >= :from and ended_at < :to group by 1 order by 2 desc, 1 limit 5`,
      period,
    ),
    ahead: await readWeek(db, at),
    sending: worst?.text ?? null,
    outages: await queryOne(
      db,
      `select count(*)::int as count, coalesce(round(extract(epoch from sum(until - since)) / 60), 0)::int as minutes
       from outages where kind <> 'stripe-unavailable' and since >= :from and since < :to`,
      period,
    ),
  };
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
