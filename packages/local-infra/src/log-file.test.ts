import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLogFile } from './log-file.ts';

test('a log that cannot be written is reported once and ends nothing', ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'log-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'api.log');
  const said: string[] = [];
  const log = openLogFile(path, (line) => said.push(line));

  log('first');
  renameSync(path, `${path}.old`);
  mkdirSync(path);
  log('lost');
  log('lost too');
  rmSync(path, { recursive: true });
  log('last');

  expect(said).toEqual([
    expect.stringMatching(/api\.log cannot be written, so its lines are left out: .*EISDIR/),
  ]);
  expect(readFileSync(path, 'utf8')).toBe('last\n');
});
