import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readEnvironment, toServiceEnv } from './environment.ts';

test('the session secret is made once for a data folder, and never in production', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'environment-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const secretWith = (env: Record<string, string>) =>
    toServiceEnv(readEnvironment('/', dataDir, env), { databaseUrl: 'postgres://x' })[
      'SESSION_SECRET'
    ];

  expect(secretWith({ NODE_ENV: 'production' })).toBeUndefined();
  const made = secretWith({});

  expect(made?.length).toBeGreaterThanOrEqual(32);
  expect(secretWith({})).toBe(made);
  expect(statSync(join(dataDir, 'session-secret')).mode & 0o077).toBe(0);
  expect(secretWith({ SESSION_SECRET: 'given' })).toBe('given');
});

test('the sandbox’s events get a secret of their own', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'environment-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const secretWith = (env: Record<string, string>) =>
    toServiceEnv(readEnvironment('/', dataDir, env), { databaseUrl: 'postgres://x' })[
      'BEEHIIV_WEBHOOK_SECRET'
    ];

  expect(secretWith({})).toMatch(/^[\w-]{32,}$/);
  expect(secretWith({})).toBe(secretWith({}));
  expect(secretWith({ BEEHIIV_API_URL: 'https://api.beehiiv.com/v2' })).toBeUndefined();
  expect(secretWith({ NODE_ENV: 'production' })).toBeUndefined();
  expect(statSync(join(dataDir, 'webhook-secret')).mode & 0o077).toBe(0);
});

test('"Manage subscription" leads to the sandbox while the sandbox is Stripe', () => {
  const portalWith = (env: Record<string, string>) =>
    toServiceEnv(
      readEnvironment('/', '/', {
        SESSION_SECRET: 'given',
        BEEHIIV_WEBHOOK_SECRET: 'given',
        SANDBOX_PORT: '8095',
        ...env,
      }),
      {
        databaseUrl: 'postgres://x',
      },
    )['STRIPE_PORTAL_LOGIN_URL'];
  const own = 'https://billing.example/p/login/1';

  expect(portalWith({})).toBe('http://127.0.0.1:8095/p/login');
  expect(portalWith({ STRIPE_PORTAL_LOGIN_URL: own })).toBe(own);
  expect(portalWith({ STRIPE_API_URL: 'https://api.stripe.com' })).toBeUndefined();
  expect(portalWith({ NODE_ENV: 'production' })).toBeUndefined();
});
