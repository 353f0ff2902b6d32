// npm run drill: faults by chance on the whole product for some minutes, then the sync's model played many times.
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { Failure, report } from '../failure.mjs';
import { loadEnvFile, ROOT } from '../settings.mjs';
import { takeSteps } from '../steps.mjs';
import { listenForStop } from '../stop-requests.mjs';
import { runInForeground } from '../tool.mjs';

const PLAYS_A_MINUTE = 60;
const signal = listenForStop();
const bin = (name) => join(ROOT, 'node_modules/.bin', name);

function readArguments() {
  try {
    const { values } = parseArgs({ options: { seed: { type: 'string' }, minutes: { type: 'string', default: '5' } } });
    const { seed = String(randomInt(2 ** 31)), minutes } = values;
    if (/^\d+$/.test(seed) && Number(minutes) > 0) return { seed, minutes };
  } catch {
    // An option that there is not: told like a wrong value.
  }
  throw new Failure('npm run drill takes -- --seed, a whole number, and --minutes, a number above 0.');
}

let exitCode = 1;
try {
  const { seed, minutes } = readArguments();
  loadEnvFile();
  await takeSteps({ signal });
  const drills = [bin('tsx'), 'e2e/drills/run.ts', '--seed', seed, '--minutes', minutes];
  const drilled = await runInForeground({ command: drills, cwd: ROOT, signal });
  console.log(`\nThe sync's model, with the same seed`);
  const played = await runInForeground({
    command: [bin('vitest'), 'run', '--project', 'integration', 'services/worker/src/sync/sync.model.test.ts'],
    cwd: ROOT,
    signal,
    env: { MODEL_RUNS: String(Math.ceil(Number(minutes) * PLAYS_A_MINUTE)), MODEL_SEED: seed },
  });
  exitCode = drilled === 0 && played === 0 ? 0 : 1;
} catch (error) {
  if (signal.aborted) exitCode = 130;
  else report(error);
}
process.exit(exitCode);
