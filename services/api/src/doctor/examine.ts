import type { Clock } from '@site/platform/process/clock';
import { createDatabase } from '@site/platform/database/connect';
import { ok, runChecks, settingFindings } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { readSettings, SettingsError } from '@site/platform/settings/read-settings';
import { apiSettings } from '../settings.ts';
import type { ApiSettings } from '../settings.ts';
import { createStripe } from '../stripe/stripe.client.ts';
import { examineAlertHook, examineMail } from './alerts.check.ts';
import { examineDeployment } from './deployment.check.ts';
import { examineOffer } from './offer.check.ts';
import { examinePostgres } from './postgres.check.ts';
import { examineRedis } from './redis.check.ts';
import { examineSync } from './sync.check.ts';
import { examineStripe } from './stripe.check.ts';

/**
 * Checks everything outside the code that the API depends on: settings, Postgres, Redis, Stripe, clocks, the offer's
 * date. Changes nothing.
 */
export async function examineApi(env: Record<string, string | undefined>, clock: Clock): Promise<Finding[]> {
  let settings: ApiSettings;
  try {
    settings = readSettings(apiSettings, env);
  } catch (fault) {
    if (fault instanceof SettingsError) return settingFindings('API settings', fault.message);
    throw fault;
  }
  const db = createDatabase({ url: settings.databaseUrl, maxConnections: 2, applicationName: 'doctor' });
  const stripe = createStripe(settings.stripe);
  try {
    return await runChecks({
      'API settings': () => Promise.resolve([ok('API settings', 'all usable'), ...examineDeployment(settings)]),
      Postgres: () => examinePostgres(db, clock),
      sync: () => examineSync(db, settings),
      Redis: () => examineRedis(settings),
      Stripe: () => examineStripe(stripe, settings, clock, db),
      email: () => examineMail(settings),
      alerts: () => examineAlertHook(settings),
      offer: () => Promise.resolve([examineOffer(settings, clock)]),
    });
  } finally {
    await db.destroy();
  }
}
