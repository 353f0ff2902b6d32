import { createHash } from 'node:crypto';
import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { MailBody } from '@site/platform/database/tables';
import { findAlerts } from '@site/platform/notices/find-alerts';
import { kindOf, storeNotices } from '@site/platform/notices/notices';
import type { Clock } from '@site/platform/process/clock';
import { CONDITIONS, isGrave } from '@site/schema/conditions';
import type { ApiSettings } from '../settings.ts';
import { listAttention, listMatters } from '../admin/money/attention-list.ts';
import type { AttentionSettings } from '../admin/money/attention-list.ts';
import { writeNews } from './attention-mail.ts';
import { findWeekly, readWeekly } from './weekly-mail.ts';

export type MailDeps = {
  clock: Clock;
  settings: AttentionSettings & Pick<ApiSettings, 'publicUrl' | 'maxPendingMs' | 'isProduction'>;
};

type Notice = {
  what: string;
  text: string;
  since: Date;
  resolvedAt: Date | null;
  noticedAt: Date;
  body: MailBody | null;
  isDue: boolean;
  isRecent: boolean;
};

/** A mail to send, and the notices it is about. */
export type DueMail = { id: string; whats: string[]; body: MailBody };

/**
 * Stores what the owner must be told, and claims the next due mail. Grave matters are due at once,
 * the others an hour after the last mail that had any of them.
 */
export async function claimMail(deps: MailDeps, trx: Database): Promise<DueMail | null> {
  const { settings, clock } = deps;
  const alerts = (await findAlerts(trx, settings)).filter(
    ({ kind }) => CONDITIONS[kind].told !== 'engineer',
  );
  await storeNotices(trx, 'mail', [
    ...(await listMatters(trx, settings, alerts)),
    ...findWeekly(clock.now()),
  ]);
  const notices = await listNotices(trx);
  const mustWait = notices.some((notice) => notice.isRecent && isHourly(notice));
  const due = notices.filter((notice) => notice.isDue && !(mustWait && isHourly(notice)));
  const isAlone = ({ what, body }: Notice) => body !== null || what.startsWith('weekly ');
  const matters = due.filter((notice) => !isAlone(notice));
  // Matters that ended while the mail server failed are named in the next mail.
  const over = matters.filter(({ resolvedAt }) => resolvedAt !== null);
  const open = matters.filter(({ resolvedAt }) => resolvedAt === null).map(({ what }) => what);
  const news = await listAttention(trx, settings, alerts, open);
  if (news.count + over.length > 0)
    return claim(trx, matters, writeNews(news, settings.publicUrl, over));
  const alone = due.find(isAlone);
  if (!alone) return null;
  const isNews = alerts.filter(({ isNews = true }) => isNews);
  const body = alone.body ?? (await readWeekly(trx, settings, alone.since, isNews));
  return claim(trx, [alone], body);
}

const isHourly = ({ what }: Notice) => !isGrave(kindOf(what));

/** Lists the mail's notices that may be sent now, or were sent within the last hour. */
async function listNotices(trx: Database): Promise<Notice[]> {
  return query(
    trx,
    `select * from (
       select what, text, since, resolved_at, noticed_at, body,
         due_at <= sync_now() and (sent_at is null or sent_at < noticed_at)
           -- A matter that has ended is mailed late if its first mail failed.
           and (resolved_at is null
             or attempts > 0 and noticed_at > sync_now() - interval '3 days') as is_due,
         coalesce(sent_at > sync_now() - interval '1 hour', false) as is_recent
       from notices where channel = 'mail'
     ) notice
     where is_due or is_recent
     order by since`,
  );
}

/** Claims a mail for longer than the server may take to accept it. */
async function claim(trx: Database, notices: Notice[], body: MailBody): Promise<DueMail> {
  const whats = notices.map(({ what }) => what);
  await query(
    trx,
    `update notices set attempts = attempts + 1, due_at = sync_now() + interval '90 seconds'
     where channel = 'mail' and what = any(:whats::text[])`,
    { whats },
  );
  // The same news again has the same id, so that a repeat is recognisable.
  const news = notices.map(({ what, noticedAt }) => `${what} ${noticedAt.toISOString()}`);
  return { id: createHash('sha256').update(news.join()).digest('hex').slice(0, 32), whats, body };
}

/**
 * Records that a mail was sent, without its content. A failed one is due again after a minute at
 * first, and an hour at most.
 */
export async function settleMail(db: Database, whats: string[], isSent: boolean): Promise<void> {
  await db.transaction(async (trx) => {
    // Several rows: two writers in different orders would wait for each other.
    await query(trx, `select pg_advisory_xact_lock(hashtext('mails'))`);
    await query(
      trx,
      isSent
        ? `update notices set sent_at = sync_now(), body = null, due_at = '-infinity'
           where channel = 'mail' and what = any(:whats::text[])`
        : `update notices
           set due_at = sync_now() + least(60, 2 ^ (attempts - 1)) * interval '1 minute'
           where channel = 'mail' and what = any(:whats::text[])`,
      { whats },
    );
  });
}
