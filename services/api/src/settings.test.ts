import { readSettings } from '@site/platform/settings/read-settings';
import { describe, expect, test } from 'vitest';
import { apiSettings } from './settings.ts';

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://site_app:c0ffee-c0ffee-c0ffee@postgres:5432/site',
  REDIS_URL: 'redis://:c0ffee-c0ffee-c0ffee@redis:6379',
  PUBLIC_URL: 'https://ledger.example',
  SESSION_SECRET: 'a-session-secret-of-enough-characters',
  STRIPE_SECRET_KEY: 'sk_live_51HasManyMoreLetters',
  STRIPE_WEBHOOK_SECRET: 'whsec_WithManyMoreLetters',
  SAMPLE_SITE_URL: 'https://samples.example',
};

describe('production', () => {
  test('starts with settings of its own', () => {
    expect(readSettings(apiSettings, PRODUCTION)).toMatchObject({ isProduction: true, mail: null });
  });

  test.for([
    ['PUBLIC_URL', 'http://ledger.example', 'production needs https'],
    ['PUBLIC_URL', 'https://127.0.0.1', 'refuses the sandbox'],
    ['SESSION_SECRET', 'for-trying-out-only-never-in-production', 'refuses the sandbox and its default secrets'],
    ['SESSION_SECRET', 'short', 'at least 32 characters'],
    ['SESSION_SECRET', `${'n'.repeat(32)},short`, 'at least 32 characters'],
    ['SESSION_SECRET', '', 'production needs it'],
    ['STRIPE_API_URL', 'http://sandbox:8090', 'refuses the sandbox'],
    [
      'SMTP_URL',
      'smtps://smtp.ledger.example',
      'ALERT_EMAIL is missing: emails need SMTP_URL, ALERT_EMAIL and MAIL_FROM',
    ],
    ['SMTP_URL', 'https://smtp.ledger.example', 'SMTP_URL is not usable'],
    ['ALERT_EMAIL', 'owner@ledger.example', 'SMTP_URL is missing'],
    ['ALERT_EMAIL', 'owner@ledger.example, nobody', 'ALERT_EMAIL is not usable'],
  ] as const)('refuses %s=%s', ([name, value, reason]) => {
    expect(() => readSettings(apiSettings, { ...PRODUCTION, [name]: value })).toThrow(reason);
  });
});

test('emails go to every address, and in development to the sandbox', () => {
  const SMTP_URL = 'smtps://user:password@smtp.ledger.example';
  const mail = { SMTP_URL, ALERT_EMAIL: 'owner@ledger.example, second@ledger.example', MAIL_FROM: 'c@ledger.example' };
  const infra = { DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x' };

  expect(readSettings(apiSettings, { ...PRODUCTION, ...mail }).mail).toEqual({
    url: SMTP_URL,
    to: ['owner@ledger.example', 'second@ledger.example'],
    from: 'c@ledger.example',
  });
  expect(readSettings(apiSettings, { ...infra, SANDBOX_PORT: '9000' }).mail).toMatchObject({
    url: 'smtp://127.0.0.1:9001',
    to: ['owner@sandbox.example'],
  });
});
