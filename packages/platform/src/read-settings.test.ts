import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readSettings, SettingsError } from './read-settings.ts';
import { refuseSandboxInProduction } from './settings.ts';

const schema = z
  .object({ NODE_ENV: z.string(), PORT: z.coerce.number('must be a number').default(8080), KEY: z.string().optional() })
  .superRefine((settings, ctx) => refuseSandboxInProduction(settings, { KEY: settings.KEY }, ctx));

/** The sentences about wrong settings. */
function complaints(env: Record<string, string>): string[] {
  try {
    readSettings(schema, env);
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message.split('\n');
  }
}

describe('settings', () => {
  test('have defaults, also if they are blank', () => {
    expect(readSettings(schema, { NODE_ENV: ' development ', PORT: ' ', KEY: '' })).toEqual({
      NODE_ENV: 'development',
      PORT: 8080,
    });
  });

  test('that are missing or unusable are all named at once', () => {
    expect(complaints({ PORT: 'eighty' })).toEqual(['NODE_ENV is missing.', 'PORT is not usable: must be a number.']);
  });

  test('have no sandbox defaults in production, and may not be the sandbox’s', () => {
    expect(complaints({ NODE_ENV: 'production' })).toEqual(['KEY is missing: production needs it.']);
    expect(complaints({ NODE_ENV: 'production', KEY: 'http://127.0.0.1:8090' })).toEqual([
      'KEY is not usable: production refuses the sandbox and its default secrets.',
    ]);
    expect(complaints({ NODE_ENV: 'production', KEY: 'https://api.example.org' })).toEqual([]);
  });
});
