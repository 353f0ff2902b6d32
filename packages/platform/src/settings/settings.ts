import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';
import { z } from 'zod';
import { postgresAddress, redisAddress } from './connection-addresses.ts';

const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);

export const whole = (fallback: number, min = 0) => z.coerce.number().int().min(min).default(fallback);

/** Accepts `true`, `false`, `1`, `0`, `yes` and `no`. */
export const flag = (fallback: boolean) => z.stringbool().default(fallback);

/** Accepts words separated by commas. */
export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  );

export const httpUrl = z.url({ protocol: /^https?$/, error: 'it must be an http or https address' });

/** Settings that the API, the worker and the commands share. */
export const sharedSettings = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: port(8080),
  WORKER_PORT: port(8081),
  SANDBOX_PORT: port(8090),
  DATABASE_URL: postgresAddress,
  REDIS_URL: redisAddress,
  ALLOW_EMPTY_REDIS_PASSWORD: flag(false),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(1_000).optional(),
  ALERT_WEBHOOK_URL: httpUrl.optional(),
  ALERT_OLDEST_PENDING_MINUTES: whole(15, 1),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

/** Returns the sandbox's address, which stands in for Stripe and Beehiiv in development. */
export function sandboxOrigin(settings: { SANDBOX_PORT: number }): string {
  return `http://127.0.0.1:${settings.SANDBOX_PORT}`;
}

/** Secrets that anybody can read in this repository: the sandbox's, and those of docker-compose.override.yml. */
const PUBLISHED: readonly string[] = [
  ...Object.values(SANDBOX_CREDENTIALS),
  'for-trying-out',
  'for-trying-out-only-never-in-production',
];
/** Shorter passwords of Postgres and Redis can be guessed. */
const MIN_PASSWORD = 12;
/** Those of Stripe and Beehiiv are far longer. */
const MIN_SECRET = 16;

/** Returns true for a published secret, and for an address that only the sandbox has. */
export function isSandboxValue(value: string): boolean {
  if (PUBLISHED.includes(value)) return true;
  const host = URL.canParse(value) ? new URL(value).hostname : '';
  return host === 'localhost' || host === '[::1]' || host === 'sandbox' || host.startsWith('127.');
}

/** Refuses third-party settings that production lacks, or whose values are the sandbox's. */
export function refuseSandboxInProduction(
  settings: { NODE_ENV: string },
  values: Record<string, string | undefined>,
  ctx: z.RefinementCtx,
): void {
  if (settings.NODE_ENV !== 'production') return;
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) ctx.addIssue({ code: 'custom', path: [name], message: 'production needs it' });
    else if (isSandboxValue(value)) {
      ctx.addIssue({ code: 'custom', path: [name], message: 'production refuses the sandbox and its default secrets' });
    }
  }
}

/** Refuses secrets of third parties that are too short to be real, such as the examples of a manual. */
export function refuseShortSecrets(
  settings: { NODE_ENV: string },
  secrets: Record<string, string | undefined>,
  ctx: z.RefinementCtx,
): void {
  if (settings.NODE_ENV !== 'production') return;
  for (const [name, secret] of Object.entries(secrets)) {
    if (secret === undefined || secret.length >= MIN_SECRET) continue;
    ctx.addIssue({ code: 'custom', path: [name], message: `it has fewer than ${MIN_SECRET} characters` });
  }
}

/** Refuses connections that are open to anybody who reaches the network: a published, short or missing password. */
export function refuseWeakConnections(
  settings: { NODE_ENV: string; DATABASE_URL: string; REDIS_URL: string; ALLOW_EMPTY_REDIS_PASSWORD: boolean },
  ctx: z.RefinementCtx,
): void {
  if (settings.NODE_ENV !== 'production') return;
  const refuse = (name: string, message: string) => ctx.addIssue({ code: 'custom', path: [name], message });
  for (const name of ['DATABASE_URL', 'REDIS_URL'] as const) {
    // With several nodes, the first has it.
    const password = readPassword(settings[name].split(',')[0] ?? '');
    if (PUBLISHED.includes(password)) refuse(name, 'production refuses its password, which is published');
    // Postgres also accepts certificates, and a socket's owner.
    else if (password === '') {
      if (name === 'DATABASE_URL' || settings.ALLOW_EMPTY_REDIS_PASSWORD) continue;
      refuse(name, 'it has no password: set one, or ALLOW_EMPTY_REDIS_PASSWORD=true if nobody else reaches Redis');
    } else if (password.length < MIN_PASSWORD) {
      refuse(name, `its password has fewer than ${MIN_PASSWORD} characters`);
    }
  }
}

function readPassword(url: string): string {
  const { password } = URL.canParse(url) ? new URL(url) : { password: '' };
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
