// @module-tag long
import { test } from '@site/sandbox/testing/sandbox.fixture';
import { systemClock } from '@site/platform/process/clock';
import { createFixedClock } from '../testing/fixed-clock.ts';
import type { Finding } from '@site/platform/doctor/findings';
import { createDatabase } from '@site/platform/database/connect';
import { Redis } from 'ioredis';
import { describe, expect } from 'vitest';
import { planSetUp } from '../stripe/set-up.ts';
import { createStripe } from '../stripe/stripe.client.ts';
import { startMailServer } from '../testing/mail-server.fixture.ts';
import { examineApi } from './examine.ts';

const PUBLIC_URL = 'https://ledger.example';
/** The settings of a whole system, with a sandbox that matches the offer and sends events. */
const whole = test.extend('env', async ({ databaseUrl, redisUrl, sandbox }, { onCleanup }) => {
  const mailServer = await startMailServer();
  onCleanup(() => mailServer.stop());
  const stripe = createStripe({
    secretKey: sandbox.credentials.stripeSecretKey,
    apiUrl: sandbox.url,
  });
  for (const change of await planSetUp(stripe, 'launch')) await change.apply();
  sandbox.setWebhookUrl(`${PUBLIC_URL}/api/stripe/webhook`);
  const env: Record<string, string> = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    STRIPE_API_URL: sandbox.url,
    PUBLIC_URL,
    SMTP_URL: mailServer.url,
  };
  return env;
});

const withoutLetters = whole.extend(
  'urlWithoutLetters',
  async ({ infra, admin }, { onCleanup }) => {
    const options = `template template0 locale_provider libc locale 'C'`;
    await admin.query(`create database without_letters ${options}`);
    onCleanup(async () => {
      await admin.query('drop database without_letters with (force)');
    });
    const url = new URL(infra.adminUrl);
    url.pathname = '/without_letters';
    return url.href;
  },
);

const examine = (env: Record<string, string>) => examineApi(env, systemClock);
const about = (findings: Finding[], check: string) =>
  findings.filter((finding) => finding.check === check);

describe('the doctor', () => {
  whole(
    'the doctor finds a whole system well, but for what this Redis really lacks',
    async ({ env }) => {
      const findings = await examine(env);

      const checks = findings.filter(({ level }) => level === 'ok').map(({ check }) => check);
      expect(checks).toEqual(
        expect.arrayContaining([
          'API settings',
          'Postgres',
          'migrations',
          'Redis',
          'Stripe',
          'Stripe catalogue',
          'Stripe webhook',
          'backups',
          'email',
          'clock',
        ]),
      );
      expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
    },
  );

  whole('the doctor says what to do if the mail server does not answer', async ({ env }) => {
    const findings = await examine({ ...env, SMTP_URL: 'smtp://user:secret@127.0.0.1:1' });

    expect(about(findings, 'email')).toMatchObject([
      {
        level: 'error',
        message: expect.stringContaining('ESOCKET'),
        remedy: 'Check the host and the port in SMTP_URL, and that this machine may reach them.',
      },
    ]);
    expect(JSON.stringify(findings)).not.toContain('secret');
  });

  test('the doctor names each wrong setting', async () => {
    const findings = await examineApi({ REDIS_URL: 'http://x', PORT: 'x' }, systemClock);

    expect(findings.map(({ level }) => level)).toEqual(findings.map(() => 'error'));
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'PORT']) {
      expect(findings.some(({ message }) => message.includes(name))).toBe(true);
    }
  });

  whole('the doctor says what production rarely means', async ({ env }) => {
    const findings = await examine({
      ...env,
      NODE_ENV: 'production',
      SMTP_URL: '',
      ALLOW_EMPTY_REDIS_PASSWORD: 'true',
      SESSION_SECRET: 'x'.repeat(40),
      TWO_FACTOR: 'optional',
      ALLOW_PLAINTEXT: '192.0.2.1',
      STRIPE_API_URL: 'http://192.0.2.1:1',
      STRIPE_SECRET_KEY: 'sk_test_51HasManyMoreLetters',
      STRIPE_WEBHOOK_SECRET: 'whsec_WithManyMoreLetters',
      SAMPLE_SITE_URL: 'https://sample.example',
      OFFER_PHASE: 'launch',
      OFFER_PRICE_RISES_ON: '2026-01-01',
    });

    expect(about(findings, 'API settings').map(({ message }) => message)).toEqual([
      'STRIPE_SECRET_KEY is a test key: nobody is charged',
      expect.stringContaining('TRADER_NAME, TRADER_ADDRESS, PRIVACY_URL, TERMS_URL'),
      expect.stringContaining('a price rise on 1 January 2026, which has passed'),
    ]);
    expect(about(findings, 'Stripe')).toMatchObject([
      { level: 'error', message: expect.stringContaining('cannot be reached') },
    ]);
  });
});

describe('the doctor on Postgres', () => {
  whole(
    'the doctor says that Postgres does not answer, and still looks at the rest',
    async ({ env }) => {
      const findings = await examine({
        ...env,
        DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      });

      expect(about(findings, 'Postgres')).toMatchObject([
        { level: 'error', message: expect.stringContaining('does not answer') },
      ]);
      expect(about(findings, 'Stripe')).toMatchObject([{ level: 'ok' }]);
      expect(JSON.stringify(findings)).not.toContain('nobody@');
    },
  );

  whole('the doctor names the migrations that are missing', async ({ env, databaseUrl }) => {
    const db = createDatabase({ url: databaseUrl, maxConnections: 1 });
    await db('migrations').del();
    await db.destroy();

    expect(about(await examine(env), 'migrations')).toMatchObject([
      {
        level: 'error',
        message: expect.stringContaining('baseline'),
        remedy: 'Run migrate (docs/install.md, Commands).',
      },
    ]);
  });

  withoutLetters(
    'the doctor names a database whose locale cannot compare letters',
    async ({ env, urlWithoutLetters }) => {
      const findings = await examine({ ...env, DATABASE_URL: urlWithoutLetters });

      expect(about(findings, 'Postgres')).toMatchObject([
        { level: 'error', message: expect.stringContaining('MÜLLER does not find müller') },
      ]);
    },
  );

  whole('the doctor says when the clocks differ', async ({ env }) => {
    const hourLater = createFixedClock(new Date(Date.now() + 3_600_000));

    expect(about(await examineApi(env, hourLater), 'clock')).toMatchObject([
      { level: 'error', message: expect.stringContaining('ahead of') },
    ]);
  });
});

describe('the doctor on Redis', () => {
  whole('the doctor says that Redis refuses what the queue needs', async ({ env, ownValkey }) => {
    const redis = new Redis(ownValkey.url);
    await redis.call('ACL', 'SETUSER', 'default', '-set');
    redis.disconnect();

    expect(about(await examine({ ...env, REDIS_URL: ownValkey.url }), 'Redis')).toMatchObject([
      { level: 'error', message: expect.stringContaining('takes no jobs') },
    ]);
  });
});
