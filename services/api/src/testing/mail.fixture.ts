import { task, showPresence } from '@site/platform/database/task';
import { checkAlerts } from '@site/platform/alerts/alerts';
import { createFixedClock } from './fixed-clock.ts';
import type { Logger } from '@site/platform/process/logger';
import { readSettings } from '@site/platform/settings/read-settings';
import { takeMailTurn } from '../owner-mail/watch-mail.ts';
import { storeMail } from '../mail/mail.repository.ts';
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
      /** Checks alerts with a running worker, as happens every ten seconds. */
      async turn() {
        await showPresence(db);
        await task(db, 'worker').update({ since: db.raw('sync_now()') });
        await checkAlerts({
          db,
          log,
          webhookUrl: null,
          maxPendingMs: settings.maxPendingMs,
          isProduction: false,
        });
        await takeMailTurn(deps);
      },
      again: () => takeMailTurn(deps),
      store: (people: string[] = []) => {
        const words = {
          subject: 'Somebody logged in',
          name: 'x',
          heading: 'x',
          href: 'x',
          link: 'x',
          foot: 'x',
        };
        const rows = [{ text: 'Ada Byron', people }, { text: 'Charles Babbage' }];
        return storeMail(db, {
          kind: 'security',
          body: { ...words, sections: [{ heading: 'x', rows }] },
        });
      },
    };
  });
