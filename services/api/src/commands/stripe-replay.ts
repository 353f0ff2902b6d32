import { systemClock } from '@site/platform/process/clock';
import { createDatabase } from '@site/platform/database/connect';
import { toErrorText } from '@site/platform/process/logged-error';
import { createLogger } from '@site/platform/process/logger';
import { createSyncQueue } from '@site/platform/outbox/sync-queue';
import { readFlags } from '@site/platform/settings/read-flags';
import { readSettings, SettingsError } from '@site/platform/settings/read-settings';
import { connectFailFast } from '@site/platform/redis/connect';
import { v7 as newId } from 'uuid';
import { apiSettings } from '../settings.ts';
import { EVENTS_KEPT_DAYS, replayEvents } from '../billing/inbox/missed-events.ts';
import { toStripeErrorText, isStripeError } from '../stripe/stripe-failure.ts';
import { createStripe } from '../stripe/stripe.client.ts';

const DAY_MS = 24 * 60 * 60_000;

async function replay(flags: { since?: string; all?: boolean }): Promise<void> {
  const since = new Date(flags.since ?? Date.now() - EVENTS_KEPT_DAYS * DAY_MS);
  const settings = readSettings(apiSettings, process.env);
  const log = createLogger({ service: 'stripe-replay', level: 'silent' });
  const db = createDatabase({
    url: settings.databaseUrl,
    maxConnections: 3,
    applicationName: 'stripe-replay',
  });
  const syncQueue = createSyncQueue({ redis: connectFailFast(settings.redisUrl, log), log });
  try {
    const stripe = createStripe(settings.stripe);
    const deps = { db, stripe, settings, log, clock: systemClock, newId, syncQueue };
    const report = await replayEvents(deps, {
      since,
      all: flags.all === true,
      onProgress: ({ applied, ignored, repeated, parked }, { id, type }) =>
        console.log(`${applied + ignored + repeated + parked}: ${type} ${id}`),
    });
    const { applied, ignored, repeated, parked } = report;
    console.log(
      `Stripe: ${applied} applied, ${repeated} known already, ${ignored} not ours, ${parked} ` +
        'parked.',
    );
    if (parked > 0) process.exitCode = 1;
  } finally {
    await syncQueue.close();
    await db.destroy();
  }
}

const USAGE = `Applies the events that Stripe could not deliver, for example during downtime, and
those that are parked. Safe to run twice.
  npm run stripe:replay
  npm run stripe:replay -- --since 2026-03-01   starts there instead of ${EVENTS_KEPT_DAYS} days ago
  npm run stripe:replay -- --all                includes delivered events`;

const flags = readFlags(
  USAGE,
  { since: { type: 'string' }, all: { type: 'boolean' } },
  ({ since }) =>
    since !== undefined && Number.isNaN(Date.parse(since))
      ? '--since must be a date or a time.'
      : null,
);
try {
  await replay(flags);
} catch (error) {
  if (isStripeError(error)) {
    console.error(
      `Stripe ${toStripeErrorText(error)}. Events applied so far stay applied. Run this again ` +
        'later.',
    );
  } else console.error(error instanceof SettingsError ? error.message : toErrorText(error));
  process.exitCode = 1;
}
