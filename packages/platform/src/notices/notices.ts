import { OWN_KINDS } from '@site/schema/conditions';
import type { ConditionKind } from '@site/schema/conditions';
import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';
import type { MailBody } from '../database/tables.ts';
import type { Condition } from '../health/sync-conditions.ts';

/*
 * The outbox of messages: a row for each matter and channel. `webhook.ts` sends the engineer's, and
 * the API's `owner-mail.ts` the owner's.
 */

export type Channel = 'webhook' | 'mail';

/**
 * A subject of messages. `what` begins with its kind. `isNews: false` matters stay open without a
 * message, because they are too new or another matter explains them.
 */
export type Matter = { what: string; text: string; since: Date; isNews?: boolean };

/** Names a condition in `notices`. Each cause has its own notice, so that none hides another. */
export const toWhat = ({ kind, cause }: Pick<Condition, 'kind' | 'cause'>): string =>
  cause ? `${kind} ${cause}` : kind;

/** Returns the kind of a matter. */
export const kindOf = (what: string) => what.split(' ')[0] as ConditionKind;

/** A matter over which the leads failed since the last mail about them. */
export const FAILED_LEADS = 'failed-leads';

/**
 * Stores the matters that are new for a channel, and resolves those that are over. A matter that
 * returns within ten minutes is not news. Leaves out matters that each process reports itself.
 */
export async function storeNotices(
  trx: Database,
  channel: Channel,
  matters: readonly Matter[],
): Promise<void> {
  const news = matters.filter(({ isNews = true }) => isNews);
  const bound = {
    channel,
    present: [...OWN_KINDS, ...matters.map(({ what }) => what)],
    news: JSON.stringify(news),
    returned: news.map(({ what }) => what),
    failedLeads: FAILED_LEADS,
  };
  await query(
    trx,
    `with forgotten as (
       delete from notices where resolved_at < sync_now() - interval '90 days'
     )
     update notices set resolved_at = sync_now(), body = null
     where channel = :channel and resolved_at is null
       and case when body is null then what <> all(:present::text[])
         -- A mail of its own is out of date.
         else noticed_at < sync_now() - interval '3 days' end`,
    bound,
  );
  await query(
    trx,
    `update notices set resolved_at = null
     where channel = :channel and what = any(:returned::text[])
       and resolved_at >= sync_now() - interval '10 minutes'`,
    bound,
  );
  await query(
    trx,
    `insert into notices (channel, what, text, since)
     select distinct on (what) :channel, what, text, since
     from jsonb_to_recordset(:news::jsonb) matter (what text, text text, since timestamptz)
     on conflict (channel, what) do update
     set text = excluded.text, since = excluded.since, noticed_at = sync_now(), attempts = 0,
       due_at = '-infinity', resolved_at = null
     where notices.resolved_at is not null
       or notices.what = :failedLeads and notices.sent_at >= notices.noticed_at
         and excluded.since > notices.sent_at`,
    bound,
  );
}

/** Stores a mail to the owner that is no matter. An API process sends it. */
export async function storeMail(trx: Database, what: string, body: MailBody): Promise<void> {
  await trx('notices').insert({
    channel: 'mail',
    what,
    text: body.subject,
    since: trx.raw('sync_now()'),
    body: JSON.stringify(body),
  });
}
