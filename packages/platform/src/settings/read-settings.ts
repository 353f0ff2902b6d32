import { readFileSync } from 'node:fs';
import type { z } from 'zod';

/** Thrown for unusable settings, with one sentence for each. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/** Each may come from a file named by the setting with `_FILE`, as container platforms do. */
const SECRETS = [
  'ADMIN_PASSWORD',
  'ALERT_WEBHOOK_URL',
  'BEEHIIV_API_KEY',
  'BEEHIIV_WEBHOOK_SECRET',
  'DATABASE_URL',
  'MIGRATE_DATABASE_URL',
  'REDIS_URL',
  'SESSION_SECRET',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
];

type Env = Record<string, string | undefined>;

/**
 * Reads a process's settings, and its secrets from files. Blank values count as absent. Throws a
 * `SettingsError` that names every wrong setting.
 */
export function readSettings<T extends z.ZodType>(schema: T, env: Env): z.output<T> {
  const given = withoutBlanks({ ...readSecretFiles(env), ...withoutBlanks(env) });
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const sentences = result.error.issues.map((issue) => {
    const name = issue.path.join('.') || 'Settings';
    if (given[name] !== undefined) return `${name} is not usable: ${issue.message}.`;
    return issue.code === 'invalid_type'
      ? `${name} is missing.`
      : `${name} is missing: ${issue.message}.`;
  });
  throw new SettingsError(sentences.join('\n'));
}

function withoutBlanks(env: Env): Env {
  return Object.fromEntries(
    Object.entries(env)
      .map(([name, value]) => [name, value?.trim()])
      .filter(([, value]) => value),
  );
}

function readSecretFiles(env: Env): Env {
  return Object.fromEntries(
    SECRETS.flatMap((name) => {
      const path = env[`${name}_FILE`]?.trim();
      if (!path) return [];
      try {
        return [[name, readFileSync(path, 'utf8')]];
      } catch (cause) {
        const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
        throw new SettingsError(`${name}_FILE is not usable: ${path} cannot be read (${code}).`, {
          cause,
        });
      }
    }),
  );
}
