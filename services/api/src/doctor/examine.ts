import type { Clock } from '@site/platform/process/clock';
import { examine, ok } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { apiSettings } from '../settings.ts';
import { createStripe } from '../stripe/stripe.client.ts';
import { examineAlertHook, examineMail } from './alerts.check.ts';
import { examinePostgres } from './postgres.check.ts';
import { examineRedis } from './redis.check.ts';
import { examineDeployment, examineOffer } from './settings.check.ts';
import { examineSync } from './sync.check.ts';
import { examineStripe } from './stripe.check.ts';

/**
 * Checks everything outside the code that the API depends on: settings, Postgres, Redis, Stripe, clocks, the offer's
 * date. Changes nothing.
 */
export function examineApi(env: NodeJS.ProcessEnv, clock: Clock): Promise<Finding[]> {
  return examine('API settings', apiSettings, env, (settings, db) => ({
    'API settings': () => Promise.resolve([ok('API settings', 'all usable'), ...examineDeployment(settings)]),
    Postgres: () => examinePostgres(db, clock),
    sync: () => examineSync(db, settings),
    Redis: () => examineRedis(settings),
    Stripe: () => examineStripe(createStripe(settings.stripe), settings, clock, db),
    email: () => examineMail(settings),
    alerts: () => examineAlertHook(settings),
    offer: () => Promise.resolve([examineOffer(settings, clock)]),
  }));
}
