import { randomUUID } from 'node:crypto';
import { task, recordHeartbeat } from '@site/platform/database/task';
import { tellWebhook } from '@site/platform/notices/webhook';
import { storeMail } from '@site/platform/notices/notices';
import { createFixedClock } from './fixed-clock.ts';
import type { Logger } from '@site/platform/process/logger';
import { readSettings } from '@site/platform/settings/read-settings';
import { takeMailTurn } from '../notices/watch-notices.ts';
import { createMailer } from '../mail/mailer.ts';
import { apiSettings } from '../settings.ts';
import { test as base } from './api.fixture.ts';
import { startMailServer } from './mail-server.fixture.ts';

/** A Wednesday. */
export const NOW = new Date('2026-07-15T12:00:00Z');
const TIMEOUT_MS = 1_500;

/** A mail server, and the owner's mails, which it receives. */
export const test = base
  .extend('server', async ({ onTestFinished }) => {
    const server = await startMailServer();
    onTestFinished(() => server.stop());
    return server;
  })
  .extend('mail', ({ db, server }) => {
    const lines: unknown[] = [];
    const keep = (...line: unknown[]) => void lines.push(line);
    const log = { debug: keep, info: keep, warn: keep, error: keep } as unknown as Logger;
    const settings = readSettings(apiSettings, {
      DATABASE_URL: 'postgres://unused',
      REDIS_URL: 'redis://unused',
      PUBLIC_URL: 'https://site.example',
      OFFER_PHASE: 'standard',
      SMTP_URL: server.url,
      ALERT_EMAIL: 'owner@ledger.example, second@ledger.example',
      MAIL_FROM: 'Ledger console <console@ledger.example>',
    });
    const clock = createFixedClock(NOW);
    const deps = { db, log, clock, settings, mailer: createMailer(settings, TIMEOUT_MS)! };
    return {
      clock,
      logged: () => JSON.stringify(lines),
      /** Takes a turn while a worker runs. */
      async turn() {
        await recordHeartbeat(db);
        await task(db, 'worker').update({ since: db.raw('sync_now()') });
        await takeMailTurn(deps);
      },
      /** Tells the webhook and the owner, as every process does all the time. */
      async tell(webhookUrl: string) {
        await tellWebhook({ ...deps, ...settings, webhookUrl });
        await takeMailTurn(deps);
      },
      /** Stores a mail that is no matter. */
      store: () => {
        const words = { name: 'x', heading: 'x', href: 'x', link: 'x', foot: 'x' };
        const body = { ...words, subject: 'Somebody logged in', sections: [] };
        return storeMail(db, `security ${randomUUID()}`, body);
      },
    };
  });
