import { randomUUID } from 'node:crypto';
import { query, queryOne } from '@site/platform/database/query';
import type { Condition } from '@site/platform/health/sync-conditions';
import { deliver, recordStripeOutage, toRecovery } from '@site/platform/notices/webhook';
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
 * Tells what only this process sees (Postgres, Redis or Stripe unreachable), each once and without
 * the database. Everything else is told from `notices`.
 */

/** A restart of Postgres takes less than this. */
const UNREACHABLE_AFTER_MS = 20_000;
/** The longest claim in Redis, and how long an ended outage keeps the next from being mailed. */
const CLAIM_SECONDS = 600;
const TIMEOUT_MS = 2_000;

type Steps = {
  /** Tells the condition. Returns false to be called again with the next reading. */
  begin: (condition: Condition) => Promise<boolean>;
  /** Tells or notes the end. `since` is null if the condition may not have been told. */
  end: (kind: ConditionKind, since: string | null) => Promise<boolean>;
};
type Follower = (conditions: readonly Condition[]) => Promise<void>;

/** `untold`: null if a condition that was not told needs an end too, or else undefined. */
function followOwn({ begin, end }: Steps, untold: null | undefined, now: () => Date): Follower {
  const open = new Map<ConditionKind, string | null | undefined>(
    OWN_KINDS.map((kind) => [kind, untold]),
  );
  const follow = async (kind: ConditionKind, conditions: readonly Condition[]) => {
    const condition = conditions.find((each) => each.kind === kind);
    const since = open.get(kind);
    if (!condition) {
      // A claim that could not be released does not silence the next outage.
      if (since !== undefined)
        open.set(kind, (await end(kind, since)) ? undefined : untold === null ? null : since);
    } else if (!since && now().getTime() - condition.since.getTime() >= UNREACHABLE_AFTER_MS)
      open.set(kind, (await begin(condition)) ? condition.since.toISOString() : untold);
  };
  return async (conditions) => {
    await Promise.all(OWN_KINDS.map((kind) => follow(kind, conditions)));
  };
}

/** Returns a function that sends the webhook this process's own conditions and their ends. */
export function createOwnAlerts(deps: WebhookDeps, now = () => new Date()): Follower {
  const { db, log } = deps;
  return followOwn(
    {
      begin({ kind, since, text }) {
        log.error({ alert: kind, since }, 'alert opened');
        return deliver(deps, { event: kind, since: since.toISOString(), text });
      },
      async end(kind, since) {
        if (since === null) return true;
        if (kind === 'stripe-unavailable')
          await recordStripeOutage(db, since).catch((err: unknown) =>
            log.warn({ err }, 'an outage was not recorded'),
          );
        const isDelivered = await deliver(deps, toRecovery(kind, since));
        if (isDelivered) log.info({ alert: kind }, 'alert closed');
        return isDelivered;
      },
    },
    undefined,
    now,
  );
}

export type OwnMailDeps = Pick<AppDeps, 'limitPrefix'> &
  Pick<WebhookDeps, 'db' | 'log'> & {
    redis: Pick<RedisConnection, 'get' | 'set'>;
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
        const claim = claimed.has(kind) ? 'claimed' : await claimMail(deps, condition);
        if (claim !== 'claimed') return claim === 'settled';
        claimed.add(kind);
        const news = { items: [toConditionItem(condition)], count: 1 };
        try {
          const mail = renderMail(writeNews(news, settings.publicUrl));
          await mailer.send({ id: randomUUID(), ...mail });
          log.info({ alert: kind }, 'mail sent');
          return true;
        } catch (error) {
          log.warn({ alert: kind, reason: errorMessage(error) }, 'mail not sent yet');
          return false;
        }
      },
      end(kind) {
        claimed.delete(kind);
        return release(deps, kind);
      },
    },
    // A process that has ended may have left its claims.
    null,
    now,
  );
}

/**
 * `settled`: this outage is mailed. `waiting`: another outage ended within the last ten minutes, so
 * the claim is tried again.
 */
type Claim = 'claimed' | 'settled' | 'waiting';

const toKey = (limitPrefix = '', item: ConditionKind) => `${limitPrefix}mailed:${item}`;

/**
 * Claims the mail in Postgres, or else in Redis. Without both, every process sends its own mail.
 */
async function claimMail(
  { db, redis, limitPrefix }: OwnMailDeps,
  { kind, text, since }: Condition,
): Promise<Claim> {
  // Its process alone sends it, so it is due for nobody.
  const insert = `with claimed as (
      insert into notices (channel, what, text, since, due_at)
      values ('mail', :kind, :text, :since, 'infinity')
      on conflict (channel, what) do update
      set text = excluded.text, since = excluded.since, noticed_at = sync_now(), resolved_at = null
      where notices.resolved_at < sync_now() - interval '10 minutes'
      returning what
    )
    select exists (select from claimed) as is_ours, exists (
      select from notices where channel = 'mail' and what = :kind and resolved_at is null
    ) as is_held`;
  return withTimeout(TIMEOUT_MS, () =>
    queryOne<{ isOurs: boolean; isHeld: boolean }>(db, insert, { kind, text, since }),
  )
    .then(({ isOurs, isHeld }): Claim => (isOurs ? 'claimed' : isHeld ? 'settled' : 'waiting'))
    .catch(async (): Promise<Claim> => {
      const key = toKey(limitPrefix, kind);
      if ((await redis.set(key, 'held', 'EX', CLAIM_SECONDS, 'NX')) === 'OK') return 'claimed';
      return (await redis.get(key)) === 'held' ? 'settled' : 'waiting';
    })
    .catch(() => 'claimed');
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
    redis.set(toKey(limitPrefix, kind), 'ended', 'EX', CLAIM_SECONDS, 'XX'),
  ]);
  return released.every(({ status }) => status === 'fulfilled');
}
