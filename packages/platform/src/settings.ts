import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';
import { z } from 'zod';

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
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'it must begin with postgres://'),
  REDIS_URL: z.string().regex(/^(rediss?|valkeys?):\/\//, 'it must begin with redis:// or rediss://'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

/** Returns the sandbox's address, which stands in for Stripe and Beehiiv in development. */
export function sandboxOrigin(settings: { SANDBOX_PORT: number }): string {
  return `http://127.0.0.1:${settings.SANDBOX_PORT}`;
}

const SANDBOX_VALUES: readonly string[] = Object.values(SANDBOX_CREDENTIALS);

/** Returns true for a value that only the sandbox accepts: a default secret, or a loopback address. */
export function isSandboxValue(value: string): boolean {
  if (SANDBOX_VALUES.includes(value)) return true;
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
