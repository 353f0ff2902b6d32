import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@site/platform/database/connect';
import { runExclusively } from '@site/platform/database/query';
import type { HealthReader } from '@site/platform/health/sync-facts';
import { errorMessage } from '@site/platform/process/logged-error';
import type { Logger } from '@site/platform/process/logger';
import { claimMail, postponeMail } from '../mail/mail.repository.ts';
import { renderMail } from '../mail/mail-body.ts';
import type { Mailer } from '../mail/mailer.ts';
import { storeAttentionMail } from './attention-mail.ts';
import type { MailDeps } from './attention-mail.ts';
import { createOwnMails } from './own-mail.ts';
import type { OwnMailDeps } from './own-mail.ts';
import { storeWeeklyMail } from './weekly-mail.ts';

type SendDeps = MailDeps & { db: Database; log: Logger; mailer: Mailer };

const EVERY_MS = 30_000;
const OWN_EVERY_MS = 10_000;

/** Stores and sends the owner's mails until `signal` is aborted. */
export async function watchMail(
  deps: SendDeps & OwnMailDeps & { health: HealthReader },
  signal: AbortSignal,
): Promise<void> {
  const mailOwn = createOwnMails(deps);
  const repeat = async (everyMs: number, work: () => Promise<void>) => {
    while (!signal.aborted) {
      await work().catch((err: unknown) => deps.log.warn({ err }, 'mails could not be read'));
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  };
  // Separate, because an unreachable Postgres keeps the others waiting.
  await Promise.all([
    repeat(OWN_EVERY_MS, async () => mailOwn((await deps.health.readShared()).conditions)),
    repeat(EVERY_MS, () => takeMailTurn(deps)),
  ]);
}

/** Stores due mails in one process at a time, and sends each stored mail in one process. */
export async function takeMailTurn(deps: SendDeps): Promise<void> {
  const { db, mailer, log } = deps;
  await runExclusively(db, 'mails', async (trx) => {
    await storeAttentionMail(deps, trx);
    await storeWeeklyMail(deps, trx);
    await trx('mails').whereRaw(`created_at < sync_now() - interval '90 days'`).delete();
  });
  for (let mail = await claimMail(db); mail; mail = await claimMail(db)) {
    try {
      await mailer.send({ id: mail.id, ...renderMail(mail.body) });
    } catch (error) {
      const isGivenUp = await postponeMail(db, mail.id);
      log.warn(
        { mail: mail.id, reason: errorMessage(error) },
        isGivenUp ? 'mail dropped' : 'mail not sent yet',
      );
      continue;
    }
    // A sent mail's content is not kept.
    await db('mails')
      .where({ id: mail.id })
      .update({ sentAt: db.raw('sync_now()'), body: null, people: [] });
    log.info({ mail: mail.id }, 'mail sent');
  }
}
