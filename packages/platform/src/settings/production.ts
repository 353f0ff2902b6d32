import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';
import type { z } from 'zod';
import { readClusterNodes, readParameter } from './connection-urls.ts';
import type { sharedSettings } from './settings.ts';

/** Secrets in this repository, of the sandbox and docker-compose.override.yml. */
const PUBLISHED: readonly string[] = [
  ...Object.values(SANDBOX_CREDENTIALS),
  'for-trying-out',
  'for-trying-out-only-never-in-production',
];
/** Shorter passwords of Postgres and Redis can be guessed. */
const MIN_PASSWORD = 12;
/** Stripe's and Beehiiv's secrets are far longer. */
const MIN_SECRET = 16;

/** Returns true for a published secret and for a URL that only the sandbox has. */
export function isSandboxValue(value: string): boolean {
  if (PUBLISHED.includes(value)) return true;
  const host = hostOf(value);
  // A secret with a colon parses as a URL without a host.
  return host !== '' && (host === 'sandbox' || isThisMachine(host));
}

type Shared = z.output<typeof sharedSettings>;
type Values = Record<string, string | undefined>;

/**
 * Refuses settings that are unsafe in production. `needed` must be present. Neither `needed` nor
 * `urls` may be the sandbox's, and `secrets` must be long enough to be real. Connections need
 * passwords and encryption.
 */
export function guardProduction(
  env: Shared,
  { needed, secrets, urls }: { needed: Values; secrets: Values; urls: Values },
  ctx: z.RefinementCtx,
): void {
  if (env.NODE_ENV !== 'production') return;
  const refuse = (name: string, message: string) =>
    ctx.addIssue({ code: 'custom', path: [name], message });
  for (const [name, value] of Object.entries(needed))
    if (value === undefined) refuse(name, 'production needs it');
  for (const [name, value] of Object.entries({ ...needed, ...urls })) {
    if (value !== undefined && isSandboxValue(value))
      refuse(name, 'production refuses the sandbox and its default secrets');
  }
  for (const [name, secret] of Object.entries(secrets)) {
    if (secret !== undefined && secret.length < MIN_SECRET)
      refuse(name, `it has fewer than ${MIN_SECRET} characters`);
  }
  refuseWeakPasswords(env, refuse);
  refusePlaintext(env, { ...urls, ALERT_WEBHOOK_URL: env.ALERT_WEBHOOK_URL }, refuse);
}

/** Refuses a live key on a public site without production's guards. */
export function refusePublicTrial(
  env: Pick<Shared, 'NODE_ENV' | 'PUBLIC_URL'>,
  name: string,
  ctx: z.RefinementCtx,
): void {
  if (env.NODE_ENV === 'production' || !env.PUBLIC_URL?.startsWith('https:')) return;
  const message = 'a live key and an https PUBLIC_URL need NODE_ENV=production';
  ctx.addIssue({ code: 'custom', path: [name], message });
}

type Refuse = (name: string, message: string) => void;

/**
 * Refuses connections with a published, short or missing password, which anybody on the network
 * could open.
 */
function refuseWeakPasswords(env: Shared, refuse: Refuse): void {
  for (const name of ['DATABASE_URL', 'REDIS_URL'] as const) {
    // With several nodes, the first has the password.
    const password = readPassword(env[name].split(',')[0] ?? '');
    if (PUBLISHED.includes(password))
      refuse(name, 'production refuses its password, which is published');
    // Postgres also accepts certificates, and a socket's owner.
    else if (password === '') {
      if (name === 'DATABASE_URL' || env.ALLOW_EMPTY_REDIS_PASSWORD) continue;
      refuse(
        name,
        'it has no password: set one, or ALLOW_EMPTY_REDIS_PASSWORD=true if nobody else ' +
          'reaches Redis',
      );
    } else if (password.length < MIN_PASSWORD) {
      refuse(name, `its password has fewer than ${MIN_PASSWORD} characters`);
    }
  }
}

/** The services of docker-compose.yml, in their own network. */
const OWN_SERVICES = ['postgres', 'redis'];

/** Refuses to send secrets and personal data over a network without TLS. */
function refusePlaintext(env: Shared, urls: Values, refuse: Refuse): void {
  const check = (name: string, hosts: string[], isEncrypted: boolean, remedy: string) => {
    const allowed = [...OWN_SERVICES, ...env.ALLOW_PLAINTEXT];
    const open = hosts.filter(
      (host) => !isEncrypted && !isThisMachine(host) && !allowed.includes(host),
    );
    if (open.length > 0)
      refuse(
        name,
        `it reaches ${open.join(', ')} without TLS: ${remedy}, or name the host in ALLOW_PLAINTEXT`,
      );
  };
  const { DATABASE_URL: postgres, REDIS_URL: redis } = env;
  // The driver prefers the parameter, if there is one.
  const host = readParameter(postgres, 'host') || hostOf(postgres);
  const isVerified = readParameter(postgres, 'sslmode') === 'verify-full';
  check('DATABASE_URL', [host], isVerified, 'add sslmode=verify-full');
  const nodes = readClusterNodes(redis)?.nodes.map(({ host }) => host) ?? [hostOf(redis)];
  check('REDIS_URL', nodes, redis.startsWith('rediss'), 'begin it with rediss://');
  for (const [name, url] of Object.entries(urls)) {
    if (url) check(name, [hostOf(url)], url.startsWith('https:'), 'begin it with https://');
  }
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : '');

/** Returns true if a host is this machine, by name, IP address or socket. */
const isThisMachine = (host: string) =>
  host === '' ||
  host === 'localhost' ||
  host === '[::1]' ||
  host.startsWith('127.') ||
  /^(?:\/|%2F)/i.test(host);

function readPassword(url: string): string {
  const { password } = URL.canParse(url) ? new URL(url) : { password: '' };
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
