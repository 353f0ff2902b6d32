import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test as base } from 'vitest';

import { claimDataFolder, readRunning } from './data-folder.mjs';

const test = base.extend('path', async ({ onTestFinished }) => {
  const path = mkdtempSync(join(tmpdir(), 'data-folder-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
});

test('a claimed data folder shows its user until it is released', ({ path }) => {
  const folder = claimDataFolder(path, 'npm start');
  folder.record({ databaseUrl: 'postgres://here' });

  expect(readRunning(path)).toMatchObject({ what: 'npm start', databaseUrl: 'postgres://here' });
  expect(() => claimDataFolder(path, 'npm run migrate')).toThrow(
    /^npm start \(process \d+\) already runs on/,
  );

  folder.release();

  expect(readRunning(path)).toBeUndefined();
});

test('the record of a data folder is hidden from other users of the machine', ({ path }) => {
  claimDataFolder(path, 'npm start').record({ databaseUrl: 'postgres://with-password' });

  expect(statSync(join(path, 'running.json')).mode & 0o777).toBe(0o600);
});

test.each([
  [
    'whose pid now belongs to another process',
    JSON.stringify({ pid: process.pid, identity: 'an earlier boot' }),
  ],
  ['that is incomplete', '{"pid":'],
])('a new claim of a data folder replaces a record %s', (_, left) => {
  const path = mkdtempSync(join(tmpdir(), 'data-folder-'));
  writeFileSync(join(path, 'running.json'), left);

  claimDataFolder(path, 'npm start');

  expect(readRunning(path)).toMatchObject({ pid: process.pid, what: 'npm start' });
  rmSync(path, { recursive: true });
});
