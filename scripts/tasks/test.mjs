// npm test: checks, unit and integration tests, failure drills, and browser tests. "npm test --
// unit" runs one part. Tests tagged "long" run as a part of their own, or when their file or title
// is named. So do the operator's tasks on a phone.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { runChecks } from '../checks.mjs';
import { wrongArguments } from '../failure.mjs';
import { ROOT } from '../settings.mjs';
import { install, takeSteps } from '../steps.mjs';
import { runInForeground } from '../tool.mjs';

const RESULTS = join(ROOT, '.cache/test-results');
const VITEST = join(ROOT, 'node_modules/.bin/vitest');
const PLAYWRIGHT = join(ROOT, 'e2e/node_modules/.bin/playwright');

const UNIT = ['unit', 'web', 'contract'];
const BROWSER = ['money', 'third-party', 'journeys', 'phone-money', 'phone'];
/** Matched against the project, the file, the title and the tags of a browser test. */
const LONG_BROWSER = '@long|^ *phone';

/** In order. The check comes before anything is built, because it must pass on a clean clone. */
const PARTS = {
  check: async ({ signal }) => {
    const results = await runChecks({ signal });
    const passed = results.filter((result) => result.isGood).length;
    return { passed, failed: results.length - passed };
  },
  unit: (run) => countVitest('unit', run, UNIT),
  integration: (run) => countVitest('integration', run, ['integration']),
  drills: (run) => countVitest('drills', run, ['drills', 'agreement']),
  e2e: (run) => runBrowser('e2e', run, BROWSER),
  agreement: (run) => countVitest('agreement', run, ['agreement']),
  long: async (run) => {
    const counts = await countVitest(
      'long',
      run,
      [...UNIT, 'integration', 'drills', 'agreement'],
      ['--tags-filter=long'],
    );
    const browser = await runBrowser('long-browser', run, BROWSER, [`--grep=${LONG_BROWSER}`]);
    return { passed: counts.passed + browser.passed, failed: counts.failed + browser.failed };
  },
  looks: (run) => runBrowser('looks', run, ['looks']),
};

/** Vitest's and Playwright's. */
const TITLE_FLAGS = ['-t', '-g'];

/** Parts that run only when named, because they take minutes. */
const ON_REQUEST = ['agreement', 'long', 'looks'];

export async function test({ args: [wanted, ...args], signal }) {
  if (wanted !== undefined && !Object.hasOwn(PARTS, wanted)) {
    throw wrongArguments(
      `There is no part "${wanted}": npm test -- ${Object.keys(PARTS).join(' | ')}.`,
    );
  }
  const flag = args.find((arg) => arg.startsWith('-') && !TITLE_FLAGS.includes(arg));
  if (flag)
    throw wrongArguments(
      `There is no option "${flag}". A part takes names of files, and words of a title: npm test -- unit -t calendar, or -g in a browser.`,
    );
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  await install({ signal });
  const rows = [];
  const byDefault = Object.keys(PARTS).filter((name) => !ON_REQUEST.includes(name));
  for (const name of wanted === undefined ? byDefault : [wanted])
    rows.push(await runPart(name, { args, signal }));
  return printSummary(rows) === 0 ? 0 : 1;
}

async function runBrowser(
  name,
  { args, signal },
  projects,
  only = short(args, `--grep-invert=${LONG_BROWSER}`),
) {
  const file = join(RESULTS, `${name}.json`);
  const code = await runInForeground({
    command: [PLAYWRIGHT, 'test', '--reporter=list,json', ...toFlags(projects), ...only, ...args],
    cwd: join(ROOT, 'e2e'),
    signal,
    env: {
      // Makes the Chromium package unpack the system libraries that a minimal machine lacks.
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x',
      PLAYWRIGHT_JSON_OUTPUT_NAME: file,
    },
  });
  const { expected = 0, unexpected = 0 } = readResult(file).stats ?? {};
  return toCounts(code, expected, unexpected);
}

/** Runs Vitest once. Returns its exit code. */
export async function runVitest(args, { signal, env }) {
  return runInForeground({
    command: [VITEST, 'run', ...args],
    cwd: ROOT,
    signal,
    ...(env && { env }),
  });
}

async function countVitest(
  name,
  { args, signal },
  projects,
  only = short(args, '--tags-filter=!long'),
) {
  const file = join(RESULTS, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await runVitest([...reporters, ...toFlags(projects), ...only, ...args], { signal });
  const { numPassedTests = 0, numFailedTests = 0 } = readResult(file);
  return toCounts(code, numPassedTests, numFailedTests);
}

/** Leaves the long tests out, unless the command names files or titles. */
const short = (args, filter) => (args.length === 0 ? [filter] : []);

const toFlags = (projects) => projects.map((name) => `--project=${name}`);

function readResult(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

// A runner can fail without a failed test, for example if a file does not load. That counts as one
// failure.
function toCounts(code, passed, failed) {
  return { passed, failed: code === 0 ? failed : Math.max(1, failed) };
}

async function runPart(name, run) {
  if (name !== 'check') await takeSteps(run);
  console.log(`\n── ${name} ──`);
  const since = performance.now();
  const counts = await PARTS[name](run);
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
