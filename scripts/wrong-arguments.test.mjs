// @module-tag long
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { readManifest, ROOT } from './settings.mjs';

const { scripts } = readManifest();
const nothingRuns = mkdtempSync(join(tmpdir(), 'nothing-runs-'));
afterAll(() => rmSync(nothingRuns, { recursive: true }));

/** Runs an npm command as npm does, where no system runs. */
async function run(name, args, kept = {}) {
  const [, program, ...words] = scripts[name].split(' ');
  const env = {
    ...process.env,
    DATA_DIR: nothingRuns,
    DATABASE_URL: '',
    npm_lifecycle_event: name,
    ...kept,
  };
  const child = spawn(program, [...words, ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (part) => (said += part));
  const [code] = await once(child, 'close');
  return { code, said };
}

/** A sentence or a usage that names the command, and no stack. */
const EXPLAINED = {
  code: 2,
  said: expect.stringMatching(/^(?![^]*\n {4}at )[^]*npm (?:run |start|test)/),
};

// A command builds what it runs, once.
describe('wrong arguments', { timeout: 120_000 }, () => {
  test.for(Object.keys(scripts))(
    'npm run %s -- --hlep ends with 2 and the right usage',
    async (name) => {
      expect(await run(name, ['--hlep'])).toEqual(EXPLAINED);
    },
  );

  test.for([
    ['admin:user', 'promote', 'j.holt'],
    ['admin:user', 'add'],
    ['bench', 'everything'],
    ['contract', '--email'],
    ['demo', '-5'],
    ['demo', 'ten'],
    ['demo', '--break', '5'],
    ['doctor', 'everything'],
    ['drill', '--minutes', '0'],
    ['drill', '--seed', '-1'],
    ['drill:compose', 'everything'],
    ['migrate', '--login-file'],
    ['reconcile', '--fix=yes'],
    ['soak', '--minutes', 'ten'],
    ['soak', 'long'],
    ['stripe:replay', '--since', 'yesterday'],
    ['stripe:setup', '--dry-run=no'],
    ['test', 'everything'],
    ['test', 'unit', '--everything'],
  ])('npm run %j ends with 2 and the right usage', async ([name, ...args]) => {
    expect(await run(name, args)).toEqual(EXPLAINED);
  });

  test('the -- that pnpm passes on is no argument', async () => {
    const { code, said } = await run('test', ['--', 'everything']);

    expect({ code, said }).toEqual({
      code: 2,
      said: expect.stringContaining('There is no part "everything"'),
    });
  });

  test.for([
    ['contract', 'email'],
    ['demo', 'break'],
    ['doctor', 'json'],
    ['drill', 'seed'],
    ['reconcile', 'fix'],
    ['reconcile', 'json'],
    ['soak', 'minutes'],
    ['migrate', 'login-file'],
    ['stripe:replay', 'all'],
    ['stripe:replay', 'since'],
    ['stripe:setup', 'dry-run'],
    ['stripe:setup', 'live'],
  ])(
    'npm run %s --%s, which npm keeps for itself, ends with 2 and the right usage',

    async ([name, flag]) => {
      const { code, said } = await run(name, [], {
        [`npm_config_${flag.replaceAll('-', '_')}`]: 'true',
      });

      expect({ code, said }).toEqual({
        code: 2,
        said: expect.stringContaining(`npm run ${name} -- --${flag}`),
      });
    },
  );
});
