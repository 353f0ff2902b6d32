import { randomUUID } from 'node:crypto';
import { UNREACHABLE_AFTER_MS } from '@site/platform/alerts/alerts';
import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { Condition } from '@site/platform/health/sync-conditions';
import { errorMessage } from '@site/platform/process/logged-error';
import type { Logger } from '@site/platform/process/logger';
import { withTimeout } from '@site/platform/process/with-timeout';
import type { RedisConnection } from '@site/platform/redis/connect';
import { OWN_KINDS } from '@site/schema/conditions';
import type { ConditionKind } from '@site/schema/conditions';
import type { AppDeps } from '../app-deps.ts';
import { renderMail } from '../mail/mail-body.ts';
import type { Mailer } from '../mail/mailer.ts';
import { toConditionItem } from '../admin/money/attention-list.ts';
import { writeNews } from './attention-mail.ts';

export type OwnMailDeps = Pick<AppDeps, 'limitPrefix'> & {
  db: Database;
  redis: Pick<RedisConnection, 'get' | 'set'>;
  mailer: Mailer;
  log: Logger;
  settings: { publicUrl: string };
};

/** The longest claim in Redis, and how long an ended outage keeps the next from being mailed. */
const CLAIM_SECONDS = 600;
const TIMEOUT_MS = 2_000;

/**
 * `settled`: this outage is mailed. `waiting`: another outage ended within the last ten minutes, so
 * the claim is tried again.
 */
type Claim = 'claimed' | 'settled' | 'waiting';

/**
 * Returns a function that mails failures that only this process sees (Postgres, Redis or Stripe
 * unreachable). It mails each once, without the database. An unsent mail is tried again with the
 * next reading.
 */
export function createOwnMails(
  deps: OwnMailDeps,
  now: () => Date = () => new Date(),
): (conditions: readonly Condition[]) => Promise<void> {
  const { mailer, log, settings } = deps;
  const open = new Map<ConditionKind, Claim>();
  // A process that has ended may have left its claims.
  const unreleased = new Set<ConditionKind>(OWN_KINDS);
  return async (conditions) => {
    const over = [...unreleased].filter((kind) => !conditions.some((each) => each.kind === kind));
    for (const kind of over) open.delete(kind);
    if (over.length > 0 && (await release(deps, over)))
      for (const kind of over) unreleased.delete(kind);
    for (const condition of conditions) {
      const { kind, since } = condition;
      const isNew = now().getTime() - since.getTime() < UNREACHABLE_AFTER_MS;
      if (!OWN_KINDS.includes(kind) || isNew) continue;
      unreleased.add(kind);
      const known = open.get(kind) ?? 'waiting';
      const claimed = known === 'waiting' ? await claim(deps, kind) : known;
      open.set(kind, claimed);
      if (claimed !== 'claimed') continue;
      const news = { items: [toConditionItem(condition)], count: 1 };
      const body = writeNews(news, settings.publicUrl);
      try {
        await mailer.send({ id: randomUUID(), ...renderMail(body) });
        open.set(kind, 'settled');
        log.info({ alert: kind }, 'mail sent');
      } catch (error) {
        log.warn({ alert: kind, reason: errorMessage(error) }, 'mail not sent yet');
      }
    }
  };
}

const toKey = (limitPrefix = '', item: ConditionKind) => `${limitPrefix}mailed:${item}`;

/**
 * Claims the mail in Postgres, or else in Redis. Without both, every process sends its own mail.
 */
async function claim({ db, redis, limitPrefix }: OwnMailDeps, item: ConditionKind): Promise<Claim> {
  const insert = `with inserted as (
      insert into mailed_attention (item) values (:item) on conflict do nothing returning item
    )
    select exists (select from inserted) as is_ours,
      exists (select from mailed_attention where item = :item and resolved_at is null) as is_held`;
  return withTimeout(TIMEOUT_MS, () =>
    queryOne<{ isOurs: boolean; isHeld: boolean }>(db, insert, { item }),
  )
    .then(({ isOurs, isHeld }): Claim => (isOurs ? 'claimed' : isHeld ? 'settled' : 'waiting'))
    .catch(async (): Promise<Claim> => {
      const key = toKey(limitPrefix, item);
      if ((await redis.set(key, 'held', 'EX', CLAIM_SECONDS, 'NX')) === 'OK') return 'claimed';
      return (await redis.get(key)) === 'held' ? 'settled' : 'waiting';
    })
    .catch(() => 'claimed');
}

/** Ends the claims of outages that are over. The next outage is mailed ten minutes later. */
async function release(
  { db, redis, limitPrefix }: OwnMailDeps,
  kinds: ConditionKind[],
): Promise<boolean> {
  const resolve = `update mailed_attention set resolved_at = sync_now()
    where item = any(:kinds::text[]) and resolved_at is null`;
  const released = await Promise.allSettled([
    withTimeout(TIMEOUT_MS, () => query(db, resolve, { kinds })),
    ...kinds.map(async (kind) =>
      redis.set(toKey(limitPrefix, kind), 'ended', 'EX', CLAIM_SECONDS, 'XX'),
    ),
  ]);
  return released.every(({ status }) => status === 'fulfilled');
}
