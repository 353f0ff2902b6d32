import { systemClock } from '@site/platform/process/clock';
import { stopOnSignals } from '@site/platform/process/lifecycle';
import { toErrorText, errorMessage } from '@site/platform/process/logged-error';
import { createLogger } from '@site/platform/process/logger';
import { createRegistry } from '@site/platform/process/metrics';
import { readSettings, SettingsError } from '@site/platform/settings/read-settings';
import { createHealthReader } from '@site/platform/health/sync-facts';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { v7 as newId } from 'uuid';
import { watchNotices } from './notices/watch-notices.ts';
import { resealTwoStepLogins } from './admin/operators/two-step-login.ts';
import { createApp } from './app.ts';
import { connect } from './connections.ts';
import { warnOfStaleOffer } from './doctor/offer.check.ts';
import { createHttpServer } from './http/server.ts';
import { createIntakeBatches } from './leads/intake-batches.ts';
import { watchIntake } from './metrics/watch-intake.ts';
import { locateNowhere, openLocator } from './leads/client-facts.ts';
import { createMailer } from './mail/mailer.ts';
import { watchStripeCalls } from './metrics/stripe-calls.ts';
import { apiSettings, type ApiSettings } from './settings.ts';
import { createSitePages, readBuiltSite } from './site/site-pages.ts';
import { watchStripe } from './billing/watch/stripe-watch.ts';

// A main program is at the same depth below the root in source, build and image.
const WEB_DIST = fileURLToPath(new URL('../../../web/dist', import.meta.url));

async function start(settings: ApiSettings): Promise<void> {
  const log = createLogger({
    service: 'api',
    level: settings.logLevel,
    pretty: process.stdout.isTTY,
  });
  if (!settings.isProduction && settings.publicUrl.startsWith('https:'))
    log.warn(
      'PUBLIC_URL is https, but NODE_ENV is not production: published secrets and plain ' +
        'connections are accepted',
    );
  warnOfStaleOffer(log, settings, systemClock);
  const { closers, ...connections } = await connect(settings, log);
  const { db, redis, syncQueue, stripe } = connections;

  const { store, tryWrite } = watchIntake(db, createIntakeBatches(db));
  const { maxPendingMs, isProduction, alertWebhookUrl: webhookUrl } = settings;
  const health = createHealthReader({
    db,
    syncQueue,
    maxPendingMs,
    isProduction,
    tryWrite,
    others: watchStripeCalls(stripe),
  });
  const stopping = new AbortController();

  const app = createApp({
    stopping: stopping.signal,
    ...connections,
    log,
    settings,
    newId,
    clock: systemClock,
    locate: settings.geoipDatabase ? await openLocator(settings.geoipDatabase) : locateNowhere,
    pages: createSitePages(await readBuiltSite(settings.webDist ?? WEB_DIST), {
      clock: systemClock,
      settings,
    }),
    registry: createRegistry(),
    health,
    store,
  });

  const server = createHttpServer(app);
  await once(server.listen(settings.port, settings.host), 'listening');
  log.info({ url: settings.publicUrl, port: settings.port }, 'api is listening');
  resealTwoStepLogins(db, settings.sessionSecrets).catch((err: unknown) =>
    log.warn({ err }, 'two-step logins could not be encrypted with the new session secret'),
  );
  const watching = watchStripe(
    { db, stripe, settings, log, clock: systemClock, newId, syncQueue },
    stopping.signal,
  );

  const mailer = createMailer(settings);
  const watchingNotices = watchNotices(
    { db, redis, health, log, clock: systemClock, settings, mailer, webhookUrl },
    stopping.signal,
  );

  stopOnSignals(log, () => [
    { name: 'live streams', close: () => Promise.resolve(stopping.abort()) },
    { name: 'stripe watch', close: () => watching },
    { name: 'notices', close: () => watchingNotices },
    { name: 'http server', close: () => server.stop() },
    ...closers,
  ]);
}

try {
  await start(readSettings(apiSettings, process.env));
} catch (error) {
  const isOurs = error instanceof SettingsError || (error instanceof Error && !('code' in error));
  console.error(isOurs ? errorMessage(error) : toErrorText(error));
  process.exit(1);
}
