import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import { addDays, londonDate } from '@site/schema/calendar';
import { findConditions } from '@site/platform/health/sync-conditions';
import { readSyncFacts } from '@site/platform/health/sync-facts';
import { storeMail } from '../../mail/mail.repository.ts';
import { readList, readStandingOf } from '../../subscriptions/money-night.repository.ts';
import { bind } from '../money/money-people.ts';
import { readCharges, readMoney } from '../overview/overview.repository.ts';
import { listForMail } from './attention-mail.ts';
import type { MailDeps } from './attention-mail.ts';
import { lastMondayAtSeven, weekBefore, writeWeekly } from './weekly.ts';
import type { WeeklyFacts } from './weekly.ts';

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
  const week = weekBefore(at);
  const period = bind({ ...week, now: at });
  const [, earlier, earliest] = [0, 1, 2].map((weeks) => weekBefore(at, weeks).endDate);
  const span = { after: earlier ?? '', day: week.endDate, now: at };
  const night = await db('money_nights').where('day', span.after).first('onList');
  const [worst] = findConditions(await readSyncFacts(db), maxPendingMs, isProduction);
  return {
    at,
    attention: await listForMail({ settings }, db),
    week: {
      ...(await readStandingOf(db, span, { isPast: false })),
      ...(await readMoney(db, week, at)),
    },
    weekBefore: {
      ...(await readStandingOf(
        db,
        { ...span, after: earliest ?? '', day: span.after },
        { isPast: true },
      )),
      ...(await readMoney(db, weekBefore(at, 1), at)),
    },
    channels: await query(
      db,
      `select channel_of(visit_utm_source, referrer) as name, count(*)::int as payers
       from subscriptions where first_paid_at >= :from and first_paid_at < :to
       group by 1 order by 2 desc, 1 limit 5`,
      period,
    ),
    reasons: await query(
      db,
      `select cancellation_feedback as reason, count(*)::int as cancellations from subscriptions
       where first_paid_at is not null and ended_at >= :from and ended_at < :to group by 1 order by 2 desc, 1 limit 5`,
      period,
    ),
    list: { ...(await readList(db, span)), before: night?.onList ?? null },
    ahead: addUp(
      await readCharges(db, {
        startDate: londonDate(at),
        endDate: londonDate(addDays(at, 6)),
        now: at,
      }),
    ),
    sending: worst?.text ?? null,
    outages: await queryOne(
      db,
      `select count(*)::int as count, coalesce(round(extract(epoch from sum(until - since)) / 60), 0)::int as minutes
       from outages where kind <> 'stripe-unavailable' and since >= :from and since < :to`,
      period,
    ),
  };
}

const addUp = (days: Awaited<ReturnType<typeof readCharges>>): WeeklyFacts['ahead'] =>
  days.reduce(
    (sum, { trials, renewals, pence }) => ({
      trials: sum.trials + trials,
      renewals: sum.renewals + renewals,
      pence: sum.pence + pence,
    }),
    { trials: 0, renewals: 0, pence: 0 },
  );
