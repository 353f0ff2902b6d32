// npm test: checks, unit and integration tests, fault drills, and browser tests. "npm test -- unit" runs one part.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { browserTests } from '../browser.mjs';
import { runChecks } from '../checks.mjs';
import { Failure, report } from '../failure.mjs';
import { loadEnvFile, ROOT } from '../settings.mjs';
import { install, takeSteps } from '../steps.mjs';
import { listenForStop } from '../stop-requests.mjs';
import { runInForeground } from '../tool.mjs';

const RESULTS = join(ROOT, '.cache/test-results');
const signal = listenForStop();
const VITEST = join(ROOT, 'node_modules/.bin/vitest');

/** In order. The check comes before anything is built, because it must pass on a clean clone. */
const PARTS = {
  check: async () => {
    const results = await runChecks({ signal });
    const passed = results.filter((result) => result.isGood).length;
    return { passed, failed: results.length - passed };
  },
  unit: (args) => runVitest('unit', ['--project', 'unit', '--project', 'web', ...args]),
  integration: (args) => runVitest('integration', ['--project', 'integration', ...args]),
  drills: (args) => runVitest('drills', ['--project', 'drills', ...args]),
  e2e: (args) => runBrowser('e2e', ['--project=journeys', '--project=limits', ...args]),
  looks: (args) => runBrowser('looks', ['--project=looks', ...args]),
};

/** Parts that run only when named, because they take minutes. */
const ON_REQUEST = ['looks'];

async function runBrowser(name, args) {
  const file = join(RESULTS, `${name}.json`);
  const { env, ...tests } = browserTests(['--reporter=list,json', ...args]);
  const code = await runInForeground({ ...tests, signal, env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file } });
  const { expected = 0, unexpected = 0 } = readResult(file).stats ?? {};
  return toCounts(code, expected, unexpected);
}

async function runVitest(name, args) {
  const file = join(RESULTS, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await runInForeground({ command: [VITEST, 'run', ...reporters, ...args], cwd: ROOT, signal });
  const { numPassedTests = 0, numFailedTests = 0 } = readResult(file);
  return toCounts(code, numPassedTests, numFailedTests);
}

function readResult(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

// A runner can fail without a failed test, for example when a file does not load. That counts as one failure.
function toCounts(code, passed, failed) {
  return { passed, failed: code === 0 ? failed : Math.max(1, failed) };
}

async function runPart(name, args) {
  if (name !== 'check') await takeSteps({ signal });
  console.log(`\n── ${name} ──`);
  const since = performance.now();
  const counts = await PARTS[name](args);
  return { name, ...counts, seconds: ((performance.now() - since) / 1000).toFixed(1) };
}

function printSummary(rows) {
  const line = (cells) =>
    `  ${cells[0].padEnd(12)} ${cells
      .slice(1)
      .map((cell) => String(cell).padStart(8))
      .join(' ')}`;
  console.log(`\n${line(['part', 'passed', 'failed', 'seconds'])}`);
  for (const row of rows) console.log(line([row.name, row.passed, row.failed, row.seconds]));
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  const failed = sum('failed');
  console.log(`\n${sum('passed')} passed, ${failed} failed`);
  return failed;
}

let exitCode = 1;
try {
  const [wanted, ...args] = process.argv.slice(2);
  if (wanted !== undefined && !(wanted in PARTS)) {
    throw new Failure(`There is no part "${wanted}": npm test -- ${Object.keys(PARTS).join(' | ')}.`);
  }
  loadEnvFile();
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  await install({ signal });
  const rows = [];
  const byDefault = Object.keys(PARTS).filter((name) => !ON_REQUEST.includes(name));
  for (const name of wanted === undefined ? byDefault : [wanted]) rows.push(await runPart(name, args));
  exitCode = printSummary(rows) === 0 ? 0 : 1;
} catch (error) {
  if (signal.aborted) exitCode = 130;
  else report(error);
}
process.exit(exitCode);
