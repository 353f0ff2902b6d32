import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import { findConditions } from '@site/platform/health/sync-conditions';
import { readSyncFacts } from '@site/platform/health/sync-facts';
import { renderMail } from '../../mail/mail-body.ts';
import { storeMail } from '../../mail/mail.repository.ts';
import { readList, readStandingOf } from '../../subscriptions/money-night.repository.ts';
import { IN_POUNDS, REFUNDS } from '../../subscriptions/payment.repository.ts';
import { bind, within } from '../money/money-people.ts';
import { listAttention, peopleOf } from './attention-mail.ts';
import type { MailDeps } from './attention-mail.ts';
import { lastMondayAtSeven, weekBefore, writeWeekly } from './weekly.ts';
import type { WeeklyFacts, WeekMoney } from './weekly.ts';

/** A summary that could not be stored on its Monday is not sent late. */
const LATEST_MS = 24 * 3_600_000;

/** Stores the summary of the week that has ended, once, on Monday from 07:00 in London. */
export async function storeWeeklyMail({ settings, clock, newId }: MailDeps, trx: Database): Promise<void> {
  const now = clock.now();
  const monday = lastMondayAtSeven(now);
  const once = `weekly ${monday.toISOString().slice(0, 10)}`;
  if (now.getTime() - monday.getTime() > LATEST_MS || (await trx('mails').where({ once }).first('id'))) return;
  const facts = await readWeeklyFacts(trx, monday, settings.maxPendingMs);
  const mail = renderMail(writeWeekly(facts, settings.publicUrl));
  await storeMail(trx, { id: newId(), kind: 'weekly', once, people: peopleOf(facts.attention), ...mail });
}

async function readWeeklyFacts(db: Database, at: Date, maxPendingMs: number): Promise<WeeklyFacts> {
  const week = weekBefore(at);
  const period = bind({ ...week, now: at });
  const [, earlier, earliest] = [0, 1, 2].map((weeks) => weekBefore(at, weeks).endDate);
  const span = { after: earlier ?? '', day: week.endDate, now: at };
  const night = await db('money_nights').where('day', span.after).first('onList');
  const [worst] = findConditions(await readSyncFacts(db), maxPendingMs);
  return {
    at,
    attention: await listAttention(db, maxPendingMs),
    week: { ...(await readStandingOf(db, span, { isPast: false })), ...(await readMoney(db, week, at)) },
    weekBefore: {
      ...(await readStandingOf(db, { ...span, after: earliest ?? '', day: span.after }, { isPast: true })),
      ...(await readMoney(db, weekBefore(at, 1), at)),
    },
    channels: await query(
      db,
      `select case lower(l.visit_utm_source) when 'linkedin' then 'LinkedIn'
           else coalesce(upper(left(nullif(l.visit_utm_source, ''), 1)) || substr(l.visit_utm_source, 2), 'Direct') end as name,
         count(*)::int as payers
       from subscriptions s left join leads l on l.id = s.lead_id where ${within('s.first_paid_at')}
       group by 1 order by 2 desc, 1 limit 5`,
      period,
    ),
    reasons: await query(
      db,
      `select cancellation_feedback as reason, count(*)::int as cancellations from subscriptions
       where first_paid_at is not null and ${within('ended_at')} group by 1 order by 2 desc, 1 limit 5`,
      period,
    ),
    list: { ...(await readList(db, span)), before: night?.onList ?? null },
    ahead: await readAhead(db, at),
    sending: worst?.text ?? 'Normal',
  };
}

async function readMoney(db: Database, week: ReturnType<typeof weekBefore>, now: Date): Promise<WeekMoney> {
  return queryOne(
    db,
    `select * from (select count(*)::int as payments, coalesce(sum(paid_pence), 0)::int as paid_pence
         from stripe_invoices i where paid_pence > 0 and ${IN_POUNDS} and ${within('paid_at')}) paid,
       (select count(*)::int as refunds, coalesce(sum(r.amount_pence), 0)::int as refunded_pence
         from ${REFUNDS} where ${IN_POUNDS} and ${within('r.refunded_at')}) refunded`,
    bind({ ...week, now }),
  );
}

/** Reads what is charged in the seven days from a time: ends of trials, and renewals. */
async function readAhead(db: Database, at: Date): Promise<WeeklyFacts['ahead']> {
  return queryOne(
    db,
    `select count(*) filter (where status = 'trialing')::int as trials, count(*) filter (where status = 'active')::int as renewals,
       coalesce(sum(amount_pence), 0)::int as pence
     from subscriptions, lateral (select case status when 'trialing' then trial_ends_at else period_ends_at end as due) charged
     where (status = 'trialing' and trial_ends_at >= :at or status = 'active' and period_ends_at >= :at)
       and due < :at::timestamptz + interval '7 days' and not is_collection_paused and amount_pence > 0
       and (cancel_at is null or cancel_at > due)`,
    { at },
  );
}
