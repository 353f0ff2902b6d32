import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readEnvironment, toServiceEnv } from './environment.ts';

test('the session secret is made once for a data folder, and never in production', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'environment-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const secretWith = (env: Record<string, string>) =>
    toServiceEnv(readEnvironment('/', dataDir, env), { databaseUrl: 'postgres://x' })['SESSION_SECRET'];

  expect(secretWith({ NODE_ENV: 'production' })).toBeUndefined();
  const made = secretWith({});

  expect(made?.length).toBeGreaterThanOrEqual(32);
  expect(secretWith({})).toBe(made);
  expect(statSync(join(dataDir, 'session-secret')).mode & 0o077).toBe(0);
  expect(secretWith({ SESSION_SECRET: 'given' })).toBe('given');
});
