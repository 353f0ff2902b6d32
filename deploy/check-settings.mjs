// Runs before the rest of the stack. Lists every missing or invalid setting at once, and stops the
// stack. Compose's ${NAME:?message} cannot do this. It is evaluated for each file before the
// override supplies its values, so it would stop the sandbox's stack too.
import { readSettings, SettingsError } from '../packages/platform/src/settings/read-settings.ts';
import { apiSettings } from '../services/api/src/settings.ts';
import { isNetwork } from '../packages/platform/src/settings/settings.ts';
import { workerSettings } from '../services/worker/src/settings.ts';

const { env } = process;
const failures = new Map();

/** Keeps one sentence a setting, because the first remedy often is the only one. */
function add(sentence) {
  const [name] = sentence.split(' ');
  if (!failures.has(name)) failures.set(name, sentence);
}

/**
 * Adds the failures of the settings. Compose builds the URLs from passwords, so the password is
 * named.
 */
function collect(schema, given, password) {
  try {
    readSettings(schema, given);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    for (const sentence of error.message.split('\n')) {
      add(
        sentence
          .replace(
            /^DATABASE_URL is not usable: (.*)its password/,
            `${password} is not usable: $1it`,
          )
          .replace(
            /^REDIS_URL is not usable: (.*)its password/,
            'REDIS_PASSWORD is not usable: $1it',
          )
          .replace(/^REDIS_URL is not usable: it has no password/, 'REDIS_PASSWORD is missing'),
      );
    }
  }
}

// With deploy/compose.managed.yml, Postgres and its URLs belong to another server.
const isOurs = /@postgres:5432\//.test(env.DATABASE_URL ?? '');
const [app, owner] = isOurs
  ? ['POSTGRES_APP_PASSWORD', 'POSTGRES_PASSWORD']
  : ['DATABASE_URL', 'MIGRATE_DATABASE_URL'];
const { MIGRATE_DATABASE_URL: ownerUrl, MIGRATE_DATABASE_URL_FILE: ownerUrlFile } = env;
collect(apiSettings, env, app);
collect(workerSettings, env, app);
if (ownerUrl || ownerUrlFile) {
  const asOwner = { ...env, DATABASE_URL: ownerUrl, DATABASE_URL_FILE: ownerUrlFile };
  collect(apiSettings, asOwner, owner);
}

const passwords = isOurs ? [app, owner, 'REDIS_PASSWORD'] : [];
for (const name of passwords) {
  const password = env[name] ?? '';
  if (password === '' && name !== 'REDIS_PASSWORD') add(`${name} is missing.`);
  // Each password becomes part of a URL.
  if (!/^[\w.~-]*$/.test(password)) {
    add(
      `${name} is not usable: it may contain only letters, digits and - . _ ~ (for example from: openssl rand -hex 24).`,
    );
  }
}

// Otherwise the proxy would stop and restart for ever.
for (const network of (env.TRUSTED_PROXIES ?? '').split(/[\s,]+/).filter(Boolean)) {
  if (!isNetwork(network)) {
    add(
      `TRUSTED_PROXIES is not usable: ${network} is neither an IP address nor a network such as 10.0.0.0/8.`,
    );
  }
}

const bucket = ['ENDPOINT', 'BUCKET', 'REGION', 'KEY', 'SECRET'].map((name) => `BACKUP_S3_${name}`);
if (env.BACKUP_TO === 's3') {
  for (const name of [...bucket, 'BACKUP_PASSPHRASE']) {
    const isInFile = env.BACKUP_SECRETS && /KEY|SECRET|PASSPHRASE/.test(name);
    if (!env[name] && !isInFile) add(`${name} is missing: the backups go into a bucket.`);
  }
} else if (bucket.some((name) => env[name])) {
  add('BACKUP_S3_… is set, but COMPOSE_FILE does not name deploy/compose.s3.yml.');
}
if (!/^[1-9]\d{0,3}$/.test(env.BACKUP_KEEP_DAYS || '35')) {
  add('BACKUP_KEEP_DAYS is not usable: it must be a number of days.');
}

if (env.UNUSED_KEYS)
  add(
    'COMPOSE_FILE=docker-compose.yml is missing: without it, the keys in .env count for nothing.',
  );
if (failures.size > 0) {
  console.error(
    'The stack cannot start. Set these in .env beside docker-compose.yml, or in the environment:',
  );
  for (const sentence of failures.values()) console.error(`  ${sentence}`);
  process.exit(1);
}
console.log('All required settings are set.');
