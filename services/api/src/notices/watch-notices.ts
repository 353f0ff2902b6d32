import { setTimeout as sleep } from 'node:timers/promises';
import { runExclusively } from '@site/platform/database/query';
import type { HealthReader } from '@site/platform/health/sync-facts';
import { tellWebhook } from '@site/platform/notices/webhook';
import type { WebhookDeps } from '@site/platform/notices/webhook';
import { errorMessage } from '@site/platform/process/logged-error';
import { renderMail } from '../mail/mail-body.ts';
import type { Mailer } from '../mail/mailer.ts';
import { claimMail, settleMail } from './owner-mail.ts';
import type { MailDeps } from './owner-mail.ts';
import { createOwnAlerts, createOwnMails } from './own-notices.ts';
import type { OwnMailDeps } from './own-notices.ts';

type SendDeps = MailDeps & Pick<WebhookDeps, 'db' | 'log'> & { mailer: Mailer };
type WatchDeps = Omit<SendDeps & OwnMailDeps, 'mailer'> &
  WebhookDeps & { health: HealthReader; mailer: Mailer | null };

const EVERY_MS = 10_000;
const MAIL_EVERY_MS = 30_000;

/**
 * Tells owner and engineer what they must know until `signal` is aborted. The workers tell the
 * webhook too, but a dead worker cannot report itself, and without Postgres only this process knows
 * that it refuses leads.
 */
export async function watchNotices(deps: WatchDeps, signal: AbortSignal): Promise<void> {
  const { health, mailer, log, settings } = deps;
  const repeat = async (everyMs: number, work: () => Promise<void>) => {
    while (!signal.aborted) {
      await work().catch((err: unknown) => log.warn({ err }, 'notices could not be read'));
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const follow = (tell: ReturnType<typeof createOwnAlerts>) =>
    repeat(EVERY_MS, async () => tell((await health.readShared()).conditions));
  // Separate, because an unreachable Postgres keeps the others waiting.
  await Promise.all([
    follow(createOwnAlerts(deps)),
    repeat(EVERY_MS, () => tellWebhook({ ...deps, ...settings })),
    ...(mailer
      ? [
          follow(createOwnMails({ ...deps, mailer })),
          repeat(MAIL_EVERY_MS, () => takeMailTurn({ ...deps, mailer })),
        ]
      : []),
  ]);
}

/** Sends the owner's due mails, in one process at a time. */
export async function takeMailTurn(deps: SendDeps): Promise<void> {
  const { db, mailer, log } = deps;
  const claim = () => runExclusively(db, 'mails', (trx) => claimMail(deps, trx));
  for (let mail = await claim(); mail; mail = await claim()) {
    const { id, whats, body } = mail;
    const failure = await mailer.send({ id, ...renderMail(body) }).then(
      () => null,
      (error: unknown) => errorMessage(error),
    );
    await settleMail(db, whats, failure === null);
    if (failure === null) log.info({ mail: id }, 'mail sent');
    else log.warn({ mail: id, reason: failure }, 'mail not sent yet');
  }
}
