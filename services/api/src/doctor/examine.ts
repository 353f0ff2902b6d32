import type { Database } from '@site/platform/database/connect';
import { hasSameViews } from '@site/platform/database/migrate';
import { CANNOT_WORK } from '@site/platform/health/health';
import { createHealthReader } from '@site/platform/health/sync-facts';
import { REMEDIES } from '@site/schema/sync-state';
import type { Clock } from '@site/platform/process/clock';
import { error, examine, ok, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { apiSettings } from '../settings.ts';
import type { ApiSettings } from '../settings.ts';
import { createStripe } from '../stripe/stripe.client.ts';
import { examineMail } from './mail.check.ts';
import { examinePostgres } from './postgres.check.ts';
import { examineRedis } from './redis.check.ts';
import { examineDeployment } from './settings.check.ts';
import { examineStripe } from './stripe.check.ts';

/**
 * Checks everything outside the code that the API depends on: settings, Postgres, Redis, Stripe, the clock, the
 * mail server. Changes nothing.
 */
export function examineApi(env: NodeJS.ProcessEnv, clock: Clock): Promise<Finding[]> {
  return examine('API settings', apiSettings, env, (settings, db) => ({
    'API settings': () => Promise.resolve(examineDeployment(settings)),
    Postgres: () => examinePostgres(db),
    sync: () => examineSync(db, settings),
    Redis: () => examineRedis(settings),
    Stripe: () => examineStripe(createStripe(settings.stripe), settings, clock, db),
    email: () => examineMail(settings),
  }));
}

/** Reports the present faults of the sync, and whether the database is migrated. */
async function examineSync(
  db: Database,
  { maxPendingMs, isProduction }: Pick<ApiSettings, 'maxPendingMs' | 'isProduction'>,
): Promise<Finding[]> {
  const { conditions } = await createHealthReader({ db, maxPendingMs, isProduction }).read();
  const findings = conditions.map(({ kind, text }) => {
    const level = CANNOT_WORK.includes(kind) ? error : warning;
    return level(kind === 'not-set-up' ? 'migrations' : 'sync', text, REMEDIES[kind]);
  });
  const isAbout = (check: string) => findings.some((finding) => finding.check === check);
  if (isAbout('migrations')) return findings;
  return [
    (await hasSameViews(db))
      ? ok('migrations', 'all applied')
      : warning(
          'migrations',
          'functions, views and grants are those of another release',
          REMEDIES['not-set-up'],
        ),
    ...(isAbout('sync') ? findings : [ok('sync', 'running')]),
  ];
}
