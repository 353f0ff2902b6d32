import { randomUUID } from 'node:crypto';
import { query, queryOne } from '@site/platform/database/query';
import type { Condition } from '@site/platform/health/sync-conditions';
import { deliver, recordStripeOutage, toRecovery } from '@site/platform/notices/webhook';
import type { Channel } from '@site/platform/notices/notices';
import type { WebhookDeps } from '@site/platform/notices/webhook';
import { errorMessage } from '@site/platform/process/logged-error';
import { withTimeout } from '@site/platform/process/with-timeout';
import type { RedisConnection } from '@site/platform/redis/connect';
import { OWN_KINDS } from '@site/schema/conditions';
import type { ConditionKind } from '@site/schema/conditions';
import type { AppDeps } from '../app-deps.ts';
import { renderMail } from '../mail/mail-body.ts';
import type { Mailer } from '../mail/mailer.ts';
import { toConditionItem } from '../admin/money/attention-list.ts';
import { writeNews } from './attention-mail.ts';

/*
 * Tells that Postgres, Redis or Stripe is unreachable, from one process, even without the database.
 * Everything else is told from `notices`.
 */

/** A restart of Postgres takes less than this. */
const UNREACHABLE_AFTER_MS = 20_000;
/** The longest claim in Redis, and how long an ended outage keeps the next from being mailed. */
const CLAIM_SECONDS = 600;
const TIMEOUT_MS = 2_000;
/** After it, another process tries what a process could not send, or ended before. */
const LEASE_SECONDS = 90;

type Steps = {
  /** Tells the condition. Returns its start as told, or null to be called again. */
  begin: (condition: Condition) => Promise<string | null>;
  /**
   * Tells or notes the end. `since` is null if the condition may not have been told. Returns
   * undefined, or else what `since` is to be for the next call.
   */
  end: (kind: ConditionKind, since: string | null) => Promise<string | null | undefined>;
};
type Follower = (conditions: readonly Condition[]) => Promise<void>;

function followOwn({ begin, end }: Steps, now: () => Date): Follower {
  // Null, because a process that has ended may have left its claims.
  const open = new Map<ConditionKind, string | null | undefined>(
    OWN_KINDS.map((kind) => [kind, null]),
  );
  const follow = async (kind: ConditionKind, conditions: readonly Condition[]) => {
    const condition = conditions.find((each) => each.kind === kind);
    const since = open.get(kind);
    if (!condition) {
      if (since !== undefined) open.set(kind, await end(kind, since));
    } else if (!since && now().getTime() - condition.since.getTime() >= UNREACHABLE_AFTER_MS)
      open.set(kind, await begin(condition));
  };
  return async (conditions) => {
    await Promise.all(OWN_KINDS.map((kind) => follow(kind, conditions)));
  };
}

type ClaimDeps = Pick<WebhookDeps, 'db'> &
  Pick<AppDeps, 'limitPrefix'> & { redis: Pick<RedisConnection, 'get' | 'set' | 'del'> };
export type OwnAlertDeps = WebhookDeps & ClaimDeps;

/** Returns a function that sends the webhook own conditions and their ends, from one process. */
export function createOwnAlerts(deps: OwnAlertDeps, now = () => new Date()): Follower {
  const { log } = deps;
  const claimed = new Set<ConditionKind>();
  const ended = new Map<ConditionKind, string>();
  return followOwn(
    {
      async begin(condition) {
        const { kind, since, text } = condition;
        if (!claimed.has(kind)) {
          const { isOurs, toldSince } = await claimNotice(deps, 'webhook', condition);
          if (!isOurs) return toldSince;
          claimed.add(kind);
          ended.delete(kind);
          log.error({ alert: kind, since }, 'alert opened');
        }
        const isDelivered = await deliver(deps, { event: kind, since: since.toISOString(), text });
        await keepClaim(deps, 'webhook', kind, isDelivered ? since : null);
        if (!isDelivered) return null;
        claimed.delete(kind);
        return since.toISOString();
      },
      async end(kind, since) {
        let told = ended.get(kind);
        if (told === undefined) {
          const claim = await claimEnd(deps, kind, since).catch(() => null);
          if (claim === null) return since;
          // If the alert was never delivered, its recovery is not news.
          if (claim === undefined || claimed.delete(kind)) return undefined;
          told = claim;
          ended.set(kind, told);
          if (kind === 'stripe-unavailable')
            await recordStripeOutage(deps.db, told).catch((err: unknown) =>
              log.warn({ err }, 'an outage was not recorded'),
            );
        }
        if (!(await deliver(deps, toRecovery(kind, told)))) return since;
        ended.delete(kind);
        log.info({ alert: kind }, 'alert closed');
        return undefined;
      },
    },
    now,
  );
}

/**
 * Claims the report of an end for one of the processes that saw it. Returns the start as told, or
 * undefined if another process reports it. Rejects without Postgres.
 */
async function claimEnd(
  { db, redis, limitPrefix }: OwnAlertDeps,
  kind: ConditionKind,
  since: string | null,
): Promise<string | undefined> {
  const resolve = `insert into notices as notice (channel, what, text, since, due_at, resolved_at)
    select 'webhook', :kind, '', coalesce(:since::timestamptz, '-infinity'), 'infinity', sync_now()
    where :since::text is not null or exists (
      select from notices where channel = 'webhook' and what = :kind and resolved_at is null
    )
    on conflict (channel, what) do update
    set resolved_at = excluded.resolved_at,
      since = case when notice.resolved_at is null then notice.since else excluded.since end
    where notice.resolved_at is null or notice.resolved_at < excluded.since
    returning since`;
  const [row] = await withTimeout(TIMEOUT_MS, () =>
    query<{ since: Date }>(db, resolve, { kind, since }),
  );
  if (row) await redis.del(toKey(limitPrefix, 'webhook', kind)).catch(() => undefined);
  return row?.since.toISOString();
}

export type OwnMailDeps = ClaimDeps &
  Pick<WebhookDeps, 'log'> & {
    mailer: Mailer;
    settings: { publicUrl: string };
  };

/**
 * Returns a function that mails own conditions, from one process. An unsent mail is tried again
 * with the next reading.
 */
export function createOwnMails(deps: OwnMailDeps, now = () => new Date()): Follower {
  const { mailer, log, settings } = deps;
  const claimed = new Set<ConditionKind>();
  return followOwn(
    {
      async begin(condition) {
        const { kind } = condition;
        if (!claimed.has(kind)) {
          const { isOurs, toldSince } = await claimNotice(deps, 'mail', condition);
          if (!isOurs) return toldSince;
          claimed.add(kind);
        }
        const news = { items: [toConditionItem(condition)], count: 1 };
        try {
          const mail = renderMail(writeNews(news, settings.publicUrl));
          await mailer.send({ id: randomUUID(), ...mail });
          await keepClaim(deps, 'mail', kind, condition.since);
          log.info({ alert: kind }, 'mail sent');
          return condition.since.toISOString();
        } catch (error) {
          await keepClaim(deps, 'mail', kind, null);
          log.warn({ alert: kind, reason: errorMessage(error) }, 'mail not sent yet');
          return null;
        }
      },
      async end(kind) {
        claimed.delete(kind);
        // A claim that could not be released does not silence the next outage.
        return (await release(deps, kind)) ? undefined : null;
      },
    },
    now,
  );
}

const toKey = (limitPrefix = '', channel: Channel, kind: ConditionKind) =>
  `${limitPrefix}${channel}:${kind}`;

/**
 * `toldSince`: the start as another process told it. Null if a message must wait, because another
 * process is sending it, or a mailed outage ended within the last ten minutes.
 */
type Claim = { isOurs: boolean; toldSince: string | null };

/** What Redis holds instead of the start of an outage that was told. */
const UNTOLD = new Set<string | null>(['ended', 'claimed']);

/** Claims a condition in Postgres, or else in Redis. Without both, every process tells it. */
async function claimNotice(
  { db, redis, limitPrefix }: ClaimDeps,
  channel: Channel,
  { kind, text, since }: Condition,
): Promise<Claim> {
  // Its process alone sends it, so it is due for nobody.
  const insert = `with claimed as (
      insert into notices (channel, what, text, since, due_at)
      values (:channel, :kind, :message, :since, 'infinity')
      on conflict (channel, what) do update
      set text = excluded.text, since = excluded.since, noticed_at = sync_now(), sent_at = null,
        resolved_at = null
      where notices.resolved_at < case excluded.channel
        when 'mail' then sync_now() - interval '10 minutes' else excluded.since end
        or notices.resolved_at is null and notices.sent_at is null
          and notices.noticed_at < sync_now() - make_interval(secs => :lease)
      returning what
    )
    select exists (select from claimed) as is_ours, (
      select since::text from notices
      where channel = :channel and what = :kind and resolved_at is null and sent_at is not null
    ) as told_since`;
  const bindings = { channel, kind, message: text, since, lease: LEASE_SECONDS };
  return withTimeout(TIMEOUT_MS, () => queryOne<Claim>(db, insert, bindings))
    .catch(async () => {
      const key = toKey(limitPrefix, channel, kind);
      const claim = await redis.set(key, 'claimed', 'EX', LEASE_SECONDS, 'NX');
      const told = await redis.get(key);
      return { isOurs: claim === 'OK', toldSince: UNTOLD.has(told) ? null : told };
    })
    .catch(() => ({ isOurs: true, toldSince: null }));
}

/** Keeps the claim of a message that was sent about an outage since then, or null: not yet. */
async function keepClaim(
  { db, redis, limitPrefix }: ClaimDeps,
  channel: Channel,
  kind: ConditionKind,
  since: Date | null,
): Promise<void> {
  const keep = `update notices
    set noticed_at = sync_now(), sent_at = case when :isSent then sync_now() end
    where channel = :channel and what = :kind and resolved_at is null`;
  const key = toKey(limitPrefix, channel, kind);
  await Promise.allSettled([
    withTimeout(TIMEOUT_MS, () => query(db, keep, { channel, kind, isSent: since !== null })),
    since
      ? redis.set(key, since.toISOString(), 'EX', CLAIM_SECONDS, 'XX')
      : redis.set(key, 'claimed', 'EX', LEASE_SECONDS, 'XX'),
  ]);
}

/** Ends the claim of an outage that is over. The next outage is mailed ten minutes later. */
async function release(
  { db, redis, limitPrefix }: OwnMailDeps,
  kind: ConditionKind,
): Promise<boolean> {
  const resolve = `update notices set resolved_at = sync_now()
    where channel = 'mail' and what = :kind and resolved_at is null`;
  const released = await Promise.allSettled([
    withTimeout(TIMEOUT_MS, () => query(db, resolve, { kind })),
    redis.set(toKey(limitPrefix, 'mail', kind), 'ended', 'EX', CLAIM_SECONDS, 'XX'),
  ]);
  return released.every(({ status }) => status === 'fulfilled');
}
