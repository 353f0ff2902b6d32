import { isIP } from 'node:net';
import { z } from 'zod';
import { postgresUrl, redisUrl } from './connection-urls.ts';

/** Larger values would overflow a timer. */
const MAX_WHOLE = 1_000_000;

export function wholeNumber(min: number, max = MAX_WHOLE) {
  const error = `it must be a whole number from ${min} to ${max}`;
  return z.coerce.number(error).int(error).min(min, error).max(max, error);
}

export const whole = (fallback: number, min = 0, max?: number) =>
  wholeNumber(min, max).default(fallback);

const port = (fallback: number) => whole(fallback, 0, 65_535);

/** Accepts `true`, `false`, `1`, `0`, `yes` and `no`. */
export const flag = (fallback: boolean) => z.stringbool().default(fallback);

export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  );

/** Returns true for an IP address, or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [ip = '', prefix, ...rest] = text.split('/');
  const bits = isIP(ip) === 4 ? 32 : 128;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  return isIP(ip) !== 0 && isPrefix && rest.length === 0;
}

export const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'it must be an http or https URL',
});

export const sharedSettings = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: port(8080),
  WORKER_PORT: port(8081),
  SANDBOX_PORT: port(8090),
  DATABASE_URL: postgresUrl,
  REDIS_URL: redisUrl,
  ALLOW_EMPTY_REDIS_PASSWORD: flag(false),
  ALLOW_PLAINTEXT: list,
  PUBLIC_URL: httpUrl
    .refine(
      (url) => new URL(url).pathname === '/' && !url.includes('?'),
      'it must end after the host: the site is at its root',
    )
    .optional(),
  // Part of a URL, so that it needs no encoding.
  BEEHIIV_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\w.~-]{32,}$/, 'it must be at least 32 letters, digits and - . _ ~')
    .optional(),
  DATABASE_POOL_SIZE: wholeNumber(2, 1_000).optional(),
  ALERT_WEBHOOK_URL: httpUrl.optional(),
  ALERT_OLDEST_PENDING_MINUTES: whole(15, 1),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

/** Returns the sandbox's URL. The sandbox replaces Stripe and Beehiiv in development. */
export function sandboxOrigin(settings: { SANDBOX_PORT: number }): string {
  return `http://127.0.0.1:${settings.SANDBOX_PORT}`;
}
