import { readSettings } from '@site/platform/settings/read-settings';
import { expect, test } from 'vitest';
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
  OFFER_PHASE: 'launch',
  OFFER_PRICE_RISES_ON: '2099-01-01',
};

test('production starts with settings of its own', () => {
  expect(readSettings(apiSettings, PRODUCTION)).toMatchObject({ isProduction: true, mail: null });
});

test('only the default offer outside production keeps a rise announced after its day', () => {
  const keeps = (env: Record<string, string>) =>
    readSettings(apiSettings, { ...PRODUCTION, ...env }).site.keepsPastRise;
  const trying = { NODE_ENV: 'test', STRIPE_SECRET_KEY: '' };

  expect(keeps({ ...trying, OFFER_PRICE_RISES_ON: '' })).toBe(true);
  expect(keeps({ ...trying, OFFER_PRICE_RISES_ON: '2026-01-01' })).toBe(false);
  expect(keeps({ OFFER_PRICE_RISES_ON: '2026-01-01' })).toBe(false);
});

test.for([
  ['PUBLIC_URL', 'http://ledger.example', 'production needs https'],
  ['PUBLIC_URL', 'https://127.0.0.1', 'refuses the sandbox'],
  [
    'SESSION_SECRET',
    'for-trying-out-only-never-in-production',
    'refuses the sandbox and its default secrets',
  ],
  ['SESSION_SECRET', 'short', 'at least 32 characters'],
  ['SESSION_SECRET', `${'n'.repeat(32)},short`, 'at least 32 characters'],
  ['SESSION_SECRET', '', 'production needs it'],
  ['OFFER_PHASE', '', 'production needs it'],
  ['OFFER_PRICE_RISES_ON', '', 'production needs it'],
  ['STRIPE_API_URL', 'http://sandbox:8090', 'refuses the sandbox'],
  [
    'STRIPE_API_URL',
    'http://stripe.internal',
    'reaches stripe.internal without TLS: begin it with https://',
  ],
  [
    'ALERT_WEBHOOK_URL',
    'http://hooks.ledger.example/x',
    'ALERT_WEBHOOK_URL is not usable: it reaches hooks.ledger',
  ],
  [
    'DATABASE_URL',
    'postgres://app:c0ffee-c0ffee@db.ledger.example/site',
    'reaches db.ledger.example without TLS: add sslmode=verify-full, or name the host in ALLOW_PLAINTEXT',
  ],
  [
    'DATABASE_URL',
    'postgres://app:c0ffee-c0ffee@10.0.0.5/site?sslmode=disable',
    'reaches 10.0.0.5 without TLS',
  ],
  // The driver uses the parameter, and of repeated parameters the last.
  [
    'DATABASE_URL',
    'postgres://app:c0ffee-c0ffee@postgres/site?host=db.example',
    'reaches db.example without TLS',
  ],
  [
    'DATABASE_URL',
    'postgres://app:c0ffee-c0ffee@/site?host=db.example',
    'reaches db.example without TLS',
  ],
  [
    'DATABASE_URL',
    'postgres://app:c0ffee-c0ffee@db.example/site?sslmode=verify-full&sslmode=disable',
    'reaches db.example without TLS',
  ],
  [
    'REDIS_URL',
    'redis://:c0ffee-c0ffee@cache.ledger.example:6379',
    'reaches cache.ledger.example without TLS',
  ],
  [
    'REDIS_URL',
    'redis://:c0ffee-c0ffee@redis,second.example',
    'reaches second.example without TLS: begin it with red',
  ],

  [
    'SMTP_URL',
    'smtps://smtp.ledger.example',
    'ALERT_EMAIL is missing: emails need SMTP_URL, ALERT_EMAIL and MAIL_FROM',
  ],
  ['SMTP_URL', 'https://smtp.ledger.example', 'SMTP_URL is not usable'],
  ['ALERT_EMAIL', 'owner@ledger.example', 'SMTP_URL is missing'],
  ['ALERT_EMAIL', 'owner@ledger.example, nobody', 'ALERT_EMAIL is not usable'],
] as const)('production refuses %s=%s', ([name, value, reason]) => {
  expect(() => readSettings(apiSettings, { ...PRODUCTION, [name]: value })).toThrow(reason);
});

test.for([
  ['PUBLIC_URL', 'https://ledger.example/shop', 'it must end after the host'],
  ['STRIPE_SECRET_KEY', 'pk_live_51HasManyMoreLetters', 'it must be a secret key, sk_… or rk_…'],
  ['STRIPE_SECRET_KEY', 'whsec_WithManyMoreLetters', 'it must be a secret key'],
  [
    'STRIPE_WEBHOOK_SECRET',
    'we_1HasManyMoreLetters',
    'it must be the signing secret of the endpoint, whsec_…',
  ],
  ['SAMPLE_SITE_ORIGINS', 'https://a.example,b.example', 'each must be an origin'],
  ['SESSION_HOURS', '1000', 'it must be a whole number from 1 to 168'],
  ['SESSION_IDLE_MINUTES', 'half an hour', 'it must be a whole number from 1 to 1440'],
  ['PORT', '80.5', 'it must be a whole number from 0 to 65535'],
  ['TRUST_PROXY', 'foo', 'it must be a number of proxies'],
  ['TRUST_PROXY', '10.0.0.0/99', 'it must be a number of proxies'],
  ['GEOIP_DATABASE', '/nope.mmdb', 'it cannot be read: name an MMDB file'],
] as const)('%s=%s is refused in words, in development too', ([name, value, reason]) => {
  const infra = { DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x', [name]: value };

  expect(() => readSettings(apiSettings, infra)).toThrow(`${name} is not usable: ${reason}`);
});

test('production reaches a host without TLS only if ALLOW_PLAINTEXT names it', () => {
  const plain = {
    DATABASE_URL: 'postgres://app:c0ffee-c0ffee@db.internal/site',
    REDIS_URL: 'redis://:c0ffee-c0ffee@127.0.0.1',
    ALERT_WEBHOOK_URL: 'http://hook.internal/x',
  };
  const read = (env: Record<string, string>) =>
    readSettings(apiSettings, { ...PRODUCTION, ...plain, ...env });

  expect(() => read({ ALLOW_PLAINTEXT: 'hook.internal' })).toThrow(
    'reaches db.internal without TLS',
  );
  expect(read({ ALLOW_PLAINTEXT: 'hook.internal, db.internal' })).toMatchObject({
    isProduction: true,
  });
  const socket = 'postgres://app:c0ffee-c0ffee@db.ledger.example/site?host=/var/run/postgresql';
  expect(read({ DATABASE_URL: socket, ALLOW_PLAINTEXT: 'hook.internal' })).toMatchObject({
    isProduction: true,
  });
  const DATABASE_URL = 'postgres://app:c0ffee-c0ffee@db.ledger.example/site?sslmode=verify-full';
  expect(read({ DATABASE_URL, ALLOW_PLAINTEXT: 'hook.internal' })).toMatchObject({
    isProduction: true,
  });
});

test('a live key behind https needs NODE_ENV=production, and a test key does not', () => {
  const { NODE_ENV: _, ...trial } = PRODUCTION;

  expect(() => readSettings(apiSettings, trial)).toThrow(
    'a live key and an https PUBLIC_URL need NODE_ENV=production',
  );
  expect(readSettings(apiSettings, { ...trial, STRIPE_SECRET_KEY: 'sk_test_51Has' })).toMatchObject(
    {
      isProduction: false,
      isTwoStepLoginRequired: false,
    },
  );
});

test('two-step login is required in production unless TWO_FACTOR is optional', () => {
  const read = (env: Record<string, string>) =>
    readSettings(apiSettings, { ...PRODUCTION, ...env });

  expect(read({}).isTwoStepLoginRequired).toBe(true);
  expect(read({ TWO_FACTOR: 'optional' }).isTwoStepLoginRequired).toBe(false);
});

test('mails go to every email, and in development to the sandbox', () => {
  const SMTP_URL = 'smtps://user:password@smtp.ledger.example';
  const mail = {
    SMTP_URL,
    ALERT_EMAIL: 'owner@ledger.example, second@ledger.example',
    MAIL_FROM: 'c@ledger.example',
  };
  const infra = { DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x' };

  expect(readSettings(apiSettings, { ...PRODUCTION, ...mail }).mail).toEqual({
    url: SMTP_URL,
    to: ['owner@ledger.example', 'second@ledger.example'],
    from: 'c@ledger.example',
    mayBePlaintext: false,
  });
  expect(readSettings(apiSettings, { ...infra, SANDBOX_PORT: '9000' }).mail).toMatchObject({
    url: 'smtp://127.0.0.1:9001',
    to: ['owner@sandbox.example'],
  });
});
