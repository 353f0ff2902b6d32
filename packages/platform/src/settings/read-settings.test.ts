import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readSettings, SettingsError } from './read-settings.ts';
import { guardProduction } from './production.ts';
import { sharedSettings } from './settings.ts';

const schema = z.object({
  NODE_ENV: z.string(),
  PORT: z.coerce.number('must be a number').default(8080),
  KEY: z.string().optional(),
});

/** Returns the sentences about wrong settings. */
function complaints(env: Record<string, string>, read: z.ZodType = schema): string[] {
  try {
    readSettings(read, env);
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message.split('\n');
  }
}

describe('settings', () => {
  test('settings have defaults, even if they are blank', () => {
    expect(readSettings(schema, { NODE_ENV: ' development ', PORT: ' ', KEY: '' })).toEqual({
      NODE_ENV: 'development',
      PORT: 8080,
    });
  });

  test('settings that are missing or unusable are all named at once', () => {
    expect(complaints({ PORT: 'eighty' })).toEqual([
      'NODE_ENV is missing.',
      'PORT is not usable: must be a number.',
    ]);
  });

  test('secret settings may come from a file, and a direct value takes precedence', ({
    onTestFinished,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'key');
    writeFileSync(file, 'from-a-file\n');
    const read = z.object({ STRIPE_SECRET_KEY: z.string(), PORT: z.string().optional() });

    expect(readSettings(read, { STRIPE_SECRET_KEY_FILE: file, PORT_FILE: file })).toEqual({
      STRIPE_SECRET_KEY: 'from-a-file',
    });
    expect(
      readSettings(read, { STRIPE_SECRET_KEY_FILE: file, STRIPE_SECRET_KEY: 'direct' }),
    ).toEqual({
      STRIPE_SECRET_KEY: 'direct',
    });
    expect(complaints({ STRIPE_SECRET_KEY_FILE: join(folder, 'none') }, read)).toEqual([
      `STRIPE_SECRET_KEY_FILE is not usable: ${join(folder, 'none')} cannot be read (ENOENT).`,
    ]);
  });
});

describe('in production', () => {
  const read = sharedSettings.extend({ KEY: z.string().optional() }).superRefine((env, ctx) => {
    guardProduction(env, { needed: { KEY: env.KEY }, secrets: { KEY: env.KEY }, urls: {} }, ctx);
  });
  const strong = 'c0ffee-c0ffee-c0ffee';
  const whole = {
    NODE_ENV: 'production',
    KEY: 'sk_live_51LongEnough',
    DATABASE_URL: `postgres://site:${strong}@postgres:5432/site`,
    REDIS_URL: `redis://:${strong}@redis:6379`,
  };

  test.for([
    ['strong passwords', {}, []],
    [
      'Postgres without a password',
      { DATABASE_URL: 'postgres://site@%2Frun%2Fpostgresql/site' },
      [],
    ],
    [
      'the password of the trial',
      { DATABASE_URL: 'postgres://site:for-trying-out@postgres/site' },
      ['DATABASE_URL'],
    ],
    ['a short password', { DATABASE_URL: 'postgres://site:site@postgres/site' }, ['DATABASE_URL']],
    ['a short password of Redis', { REDIS_URL: 'redis://:redis@redis:6379' }, ['REDIS_URL']],
    ['Redis without a password', { REDIS_URL: 'redis://redis:6379' }, ['REDIS_URL']],
    [
      'that on purpose',
      { REDIS_URL: 'redis://redis:6379', ALLOW_EMPTY_REDIS_PASSWORD: 'true' },
      [],
    ],
  ] as const)('with %s, production refuses %s', ([, env, names]) => {
    expect(
      complaints({ ...whole, ...env }, read).map((sentence) => sentence.split(' ')[0]),
    ).toEqual(names);
    expect(complaints({ ...whole, ...env, NODE_ENV: 'development' }, read)).toEqual([]);
  });

  test('a secret with a colon in it is not a URL', () => {
    expect(complaints({ ...whole, KEY: 'live:51LongEnough-and-more' }, read)).toEqual([]);
  });

  test.for([
    ['', 'KEY is missing: production needs it.'],
    [
      'http://127.0.0.1:8090',
      'KEY is not usable: production refuses the sandbox and its default secrets.',
    ],
    ['sk_live_short', 'KEY is not usable: it has fewer than 16 characters.'],
  ] as const)('in production the key "%s" of a third party is judged: %s', ([KEY, sentence]) => {
    expect(complaints({ ...whole, KEY }, read)).toEqual([sentence]);
    expect(complaints({ ...whole, KEY, NODE_ENV: 'development' }, read)).toEqual([]);
  });
});
