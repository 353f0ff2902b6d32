import { randomUUID } from 'node:crypto';
import { isOwn, UNREACHABLE_AFTER_MS } from '@site/platform/alerts/alerts';
import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { Condition } from '@site/platform/health/sync-conditions';
import { errorMessage } from '@site/platform/process/logged-error';
import type { Logger } from '@site/platform/process/logger';
import { withTimeout } from '@site/platform/process/with-timeout';
import type { RedisConnection } from '@site/platform/redis/connect';
import type { ConditionKind } from '@site/schema/sync-state';
import type { AppDeps } from '../app-deps.ts';
import { renderMail } from '../mail/mail-body.ts';
import type { Mailer } from '../mail/mailer.ts';
import { toConditionItem } from '../admin/money/attention-list.ts';
import { writeNews } from './attention-mail.ts';

export type OwnMailDeps = Pick<AppDeps, 'limitPrefix'> & {
  db: Database;
  redis: Pick<RedisConnection, 'set'>;
  mailer: Mailer;
  log: Logger;
  settings: { publicUrl: string };
};

/** If several processes see the same failure within this time, one mails it. */
const CLAIM_SECONDS = 600;
const TIMEOUT_MS = 2_000;

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
  const open = new Map<ConditionKind, 'claimed' | 'settled'>();
  return async (conditions) => {
    for (const kind of open.keys())
      if (!conditions.some((each) => each.kind === kind)) open.delete(kind);
    for (const condition of conditions) {
      const { kind, since } = condition;
      const isNew = now().getTime() - since.getTime() < UNREACHABLE_AFTER_MS;
      if (!isOwn(kind) || isNew || open.get(kind) === 'settled') continue;
      if (!open.has(kind)) open.set(kind, (await claim(deps, kind)) ? 'claimed' : 'settled');
      if (open.get(kind) === 'settled') continue;
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

/**
 * Claims the mail in Postgres, or else in Redis. Without both, every process sends its own mail.
 */
async function claim({ db, redis, limitPrefix = '' }: OwnMailDeps, item: ConditionKind) {
  const insert =
    'insert into mailed_attention (item) values (:item) on conflict do nothing returning item';
  return withTimeout(TIMEOUT_MS, () => query(db, insert, { item }))
    .then((rows) => rows.length > 0)
    .catch(async () => {
      const key = `${limitPrefix}mailed:${item}`;
      return (await redis.set(key, '1', 'EX', CLAIM_SECONDS, 'NX')) === 'OK';
    })
    .catch(() => true);
}
