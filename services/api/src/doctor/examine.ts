import { findDatabaseFailure, readDatabaseFacts } from '@site/platform/database/check-database';
import type { Database } from '@site/platform/database/connect';
import { hasSameViews } from '@site/platform/database/migrate';
import { task } from '@site/platform/database/task';
import { CANNOT_WORK } from '@site/platform/health/health';
import { createHealthReader } from '@site/platform/health/sync-facts';
import { CONDITIONS } from '@site/schema/conditions';
import { errorMessage } from '@site/platform/process/logged-error';
import { listUnset } from '@site/schema/site-settings';
import type { Clock } from '@site/platform/process/clock';
import { error, examine, ok, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { createMailer } from '../mail/mailer.ts';
import { apiSettings } from '../settings.ts';
import type { ApiSettings } from '../settings.ts';
import { isLiveKey, createStripe } from '../stripe/stripe.client.ts';
import { examineOffer } from './offer.check.ts';
import { examineStripe } from './stripe.check.ts';
import { createSyncQueue } from '@site/platform/outbox/sync-queue';
import { createLogger } from '@site/platform/process/logger';
import { readInfo, openRedis } from '@site/platform/redis/connect';

/** Checks everything outside the code that the API depends on. Changes nothing. */
export function examineApi(env: NodeJS.ProcessEnv, clock: Clock): Promise<Finding[]> {
  return examine('API settings', apiSettings, env, (settings, db) => ({
    'API settings': () =>
      Promise.resolve([...examineDeployment(settings), ...examineOffer(settings, clock)]),
    Postgres: () => examinePostgres(db),
    sync: () => examineSync(db, settings),
    backups: () => examineBackups(db),
    Redis: () => examineRedis(settings),
    Stripe: () => examineStripe(createStripe(settings.stripe), settings, clock, db),
    email: () => examineMail(settings),
  }));
}

const CHECK = 'API settings';

/** Reports settings that are valid but rarely intended in production. */
function examineDeployment({
  isProduction,
  site,
  stripe,
}: Pick<ApiSettings, 'isProduction' | 'site' | 'stripe'>): Finding[] {
  if (!isProduction) return [ok(CHECK, 'all usable')];
  const missing = listUnset(site);
  return [
    isLiveKey(stripe.secretKey)
      ? ok(CHECK, 'all usable')
      : warning(CHECK, 'STRIPE_SECRET_KEY is a test key: nobody is charged', 'Set the live key.'),
    ...(missing.length > 0
      ? [warning(CHECK, `visitors see examples or nothing: ${missing.join(', ')}`, 'Set them.')]
      : []),
  ];
}

/** Checks that Postgres is reachable and usable. */
async function examinePostgres(db: Database): Promise<Finding[]> {
  try {
    const facts = await readDatabaseFacts(db);
    const failure = findDatabaseFailure(facts);
    if (failure) return [error('Postgres', failure.message, failure.remedy)];
    return [ok('Postgres', `version ${facts.version}`)];
  } catch (failure) {
    const remedy =
      'Start it. Its disk may be full, or host, user or password in DATABASE_URL wrong.';
    return [error('Postgres', `does not answer: ${errorMessage(failure)}`, remedy)];
  }
}

/** Reports the sync's current failures, and whether the database is migrated. */
async function examineSync(
  db: Database,
  { maxPendingMs, isProduction }: Pick<ApiSettings, 'maxPendingMs' | 'isProduction'>,
): Promise<Finding[]> {
  const { conditions } = await createHealthReader({ db, maxPendingMs, isProduction }).read();
  const findings = conditions.map(({ kind, text }) => {
    const level = CANNOT_WORK.includes(kind) ? error : warning;
    return level(kind === 'not-set-up' ? 'migrations' : 'sync', text, CONDITIONS[kind].remedy);
  });
  const isAbout = (check: string) => findings.some((finding) => finding.check === check);
  if (isAbout('migrations')) return findings;
  return [
    (await hasSameViews(db))
      ? ok('migrations', 'all applied')
      : warning(
          'migrations',
          'functions, views and grants are those of another release',
          CONDITIONS['not-set-up'].remedy,
        ),
    ...(isAbout('sync') ? findings : [ok('sync', 'running')]),
  ];
}

/** Reports where the backups are. That they are late is a failure of the sync. */
async function examineBackups(db: Database): Promise<Finding[]> {
  const backup = await task(db, 'backup').first('seenAt', 'detail');
  if (!backup?.seenAt) return [ok('backups', 'none are made here')];
  const { place } = backup.detail as { place?: string };
  if (place !== 'posix') return [ok('backups', 'kept on another machine')];
  const remedy = 'Name a bucket with BACKUP_S3_…: docs/backup.md.';
  return [warning('backups', 'kept on the same machine: a lost disk loses them', remedy)];
}

/** Checks that the mail server answers and accepts the login. Sends nothing. */
async function examineMail(
  settings: Pick<ApiSettings, 'mail' | 'isProduction'>,
): Promise<Finding[]> {
  const mailer = createMailer(settings);
  if (!mailer) {
    const remedy = 'Set SMTP_URL, ALERT_EMAIL and MAIL_FROM.';
    return [warning('email', 'no emails are sent to you', remedy)];
  }
  return mailer.verify().then(
    () => [ok('email', 'the server answers')],
    (failure: unknown) => {
      const [what = '', ...advice] = errorMessage(failure).split('. ');
      return [error('email', `the server does not accept us: ${what}`, advice.join('. '))];
    },
  );
}

/** Checks that Redis is reachable, takes the queue's commands, and never evicts jobs. */
async function examineRedis({ redisUrl: url }: Pick<ApiSettings, 'redisUrl'>): Promise<Finding[]> {
  const redis = openRedis(url, {
    lazyConnect: true,
    connectTimeout: 3_000,
    commandTimeout: 3_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // `connect` reports only that there is no connection. This error has the reason.
  let reason: Error | undefined;
  redis.on('error', (err: Error) => (reason ??= err));
  try {
    await redis.connect();
    const info = await redis.info();
    const log = createLogger({ service: 'doctor', level: 'silent' });
    await createSyncQueue({ redis, log }).prove();
    // Managed services answer `INFO` even if they refuse `CONFIG`.
    const policy = readInfo(info, 'maxmemory_policy');
    if (policy === undefined || policy === 'noeviction') return [ok('Redis', 'takes jobs')];
    const remedy = 'Set maxmemory-policy noeviction.';
    return [error('Redis', `${policy} evicts jobs when memory runs out`, remedy)];
  } catch (failure) {
    const message = errorMessage(reason ?? failure);
    const remedy = message.includes('OOM ')
      ? 'Give it more memory (maxmemory), or wait until jobs are done.'
      : 'Start it, and check REDIS_URL: the primary, with scripts and writes on {bull}*.';
    return [error('Redis', `takes no jobs: ${message}`, remedy)];
  } finally {
    redis.disconnect();
  }
}
