// Changes each secret of the stack while leads arrive, as docs/update.md says. No lead may be
// refused but while Postgres starts again, and nothing is left for a later "up -d" to replace.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, createStack, logIn, until } from './stack.mjs';
import { startTrickle, tally } from './trickle.mjs';

const FIRST = {
  role: 'site_app',
  rolePassword: 'first-of-the-role',
  ownerPassword: 'for-trying-out',
  redisPassword: 'first-of-redis',
  sessionSecret: 'first-session-secret-of-the-drill',
  eventSecret: 'firstEventSecretOfTheDrill0000000000',
};

/** Replaces .env, which the trial does not read. */
function toComposeFile(secrets) {
  const { role, rolePassword, ownerPassword, redisPassword, sessionSecret } = secrets;
  const shared = {
    BEEHIIV_WEBHOOK_SECRET: secrets.eventSecret,
    DATABASE_URL: `postgres://${role}:${rolePassword}@postgres:5432/site`,
    REDIS_URL: `redis://:${redisPassword}@redis:6379`,
  };
  const owner = { MIGRATE_DATABASE_URL: `postgres://site:${ownerPassword}@postgres:5432/site` };
  const api = { ...shared, SESSION_SECRET: sessionSecret };
  const command = `redis-server --appendonly yes --maxmemory-policy noeviction --requirepass ${redisPassword}`;
  const services = {
    settings: { environment: { ...api, ...owner } },
    migrate: { environment: { ...shared, ...owner } },
    postgres: { environment: { POSTGRES_PASSWORD: ownerPassword } },
    backup: { environment: { POSTGRES_PASSWORD: ownerPassword } },
    api: { environment: api },
    worker: { environment: shared },
    'stripe-setup': { environment: api },
    redis: { command, environment: { REDISCLI_AUTH: redisPassword } },
  };
  return JSON.stringify({ services });
}

export async function drill() {
  const stack = await createStack('secrets');
  const folder = await mkdtemp(join(tmpdir(), 'secrets-drill-'));
  const file = join(folder, 'secrets.json');
  stack.env.COMPOSE_FILE = `docker-compose.yml:docker-compose.override.yml:${file}`;
  const secrets = { ...FIRST };
  const set = (changes) => writeFile(file, toComposeFile(Object.assign(secrets, changes)));
  /** Signs in to Postgres over the network, where a password counts. */
  const signIn = (role, password) => {
    const url = `postgres://${role}:${password}@postgres:5432/site`;
    return stack.compose('exec', '-T', 'backup', 'psql', url, '-qAtc', 'select 1');
  };
  const isRefused = (...login) =>
    signIn(...login).catch(({ message }) => message.includes('authentication failed'));
  const sendEvent = async (secret) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    return (await fetch(`${stack.url}/api/beehiiv/events/${secret}`, init)).status;
  };
  try {
    await set({});
    await stack.up();
    const login = await stack.login();
    const cookie = await logIn(stack.url, login);
    const trickle = startTrickle(stack.url, { perSecond: 10 });

    await set({ role: 'site_app_2', rolePassword: 'second-of-the-role' });
    await stack.script('rolling-update.sh');
    await stack.sql('drop owned by site_app; drop role site_app;');
    await signIn('site_app_2', 'second-of-the-role');
    const isRoleRefused = (await isRefused('site_app', FIRST.rolePassword)) === true;
    check(isRoleRefused, 'the role of API and worker: a new one, and the old one is refused');

    await set({ ownerPassword: 'second-of-the-owner' });
    const refusal = await stack
      .compose('run', '--rm', '--no-deps', 'migrate')
      .catch((error) => error.message);
    check(
      refusal.includes('Changing a secret'),
      'a new password in .env alone: migrate says what is missing',
    );
    await stack.sql(`alter role site password 'second-of-the-owner'`);
    await stack.compose('run', '--rm', '--no-deps', 'migrate');
    const refusedBefore = trickle.ledger.failures.length;
    check(refusedBefore === 0, 'no lead was refused until then');
    await stack.compose('up', '-d', '--no-deps', '--wait', 'postgres', 'backup');
    await until('the API answers again', async () => (await fetch(`${stack.url}/readyz`)).ok);
    const refused = trickle.ledger.failures.splice(0);
    check(
      refused.every((failure) => failure.startsWith('503')) && refused.length <= 100,
      `the owner: Postgres first, then .env, then Postgres again (${tally(refused)})`,
    );
    await signIn('site', 'second-of-the-owner');
    const isOwnerRefused = (await isRefused('site', FIRST.ownerPassword)) === true;
    check(isOwnerRefused, 'the old password of the owner is refused');

    const addPassword = 'exec -T redis redis-cli ACL SETUSER default >second-of-redis';
    await stack.compose(...addPassword.split(' '));
    await set({ redisPassword: 'second-of-redis' });
    await stack.script('rolling-update.sh');
    await stack.compose('up', '-d', '--no-deps', '--force-recreate', '--wait', 'redis');
    const old = await stack
      .compose('exec', '-T', 'redis', 'redis-cli', '-a', 'first-of-redis', 'ping')
      .catch(String);
    check(!old.includes('PONG'), 'Redis: both passwords for a while, then only the new one');

    await set({ sessionSecret: `second-session-secret-of-the-drill,${FIRST.sessionSecret}` });
    await stack.script('rolling-update.sh');
    check(
      (await whoAmI(stack.url, cookie)) === 200,
      'SESSION_SECRET "new,old": the operator stays signed in',
    );
    await set({ sessionSecret: 'second-session-secret-of-the-drill' });
    await stack.script('rolling-update.sh');
    check(
      (await whoAmI(stack.url, cookie)) === 401,
      'SESSION_SECRET "new": the old one counts no more',
    );
    await logIn(stack.url, login);
    check((await sendEvent(FIRST.eventSecret)) < 300, 'the secret of Beehiiv’s events counts');
    await set({ eventSecret: 'secondEventSecretOfTheDrill000000000' });
    await stack.script('rolling-update.sh');
    check(
      (await sendEvent(secrets.eventSecret)) < 300 && (await sendEvent(FIRST.eventSecret)) === 404,
      'BEEHIIV_WEBHOOK_SECRET: the new URL counts, the old one is unknown',
    );
    const ids = async () => (await stack.containers()).map(({ id }) => id).sort();
    const before = await ids();
    await stack.up();
    check(String(await ids()) === String(before), 'a plain "up -d" then replaces nothing');

    const { accepted, failures } = await trickle.stop();
    check(
      failures.length === 0,
      `all other ${accepted.length} leads of that time were accepted (${tally(failures)})`,
    );
    await stack.untilDelivered();
    check(true, 'every one of them is delivered');
  } finally {
    await stack.remove();
    await rm(folder, { recursive: true });
  }
}

async function whoAmI(url, cookie) {
  return (await fetch(`${url}/api/admin/me`, { headers: { cookie } })).status;
}
