// Tasks that build what npm start builds, and then run one program, if any.
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { refuseArguments, wrongArguments } from '../failure.mjs';
import { ROOT } from '../settings.mjs';
import { install, takeSteps } from '../steps.mjs';
import { runInForeground } from '../tool.mjs';

const bin = (name) => join(ROOT, 'node_modules/.bin', name);
const runScript = (args, { signal, folder = '' }) =>
  runInForeground({ command: [bin('tsx'), ...args], cwd: join(ROOT, folder), signal });

/**
 * Measures the promised speed beside the usual implementations. "npm run bench -- intake" runs that
 * case alone.
 */
export async function bench({ args, signal }) {
  await takeSteps({ signal });
  return runScript(['main.ts', ...args], { signal, folder: 'bench' });
}

/**
 * Checks for ten minutes, or "-- --minutes 60", that memory and tables stay flat and no lead is
 * lost.
 */
export async function soak({ args, signal }) {
  const minutes = readMinutes(args);
  await takeSteps({ signal });
  return runScript(['soak.ts', minutes], { signal, folder: 'bench' });
}

function readMinutes(args) {
  try {
    const { minutes } = parseArgs({
      args,
      options: { minutes: { type: 'string', default: '10' } },
    }).values;
    if (Number(minutes) > 0 && Number(minutes) <= 600) return minutes;
  } catch {
    // An unknown option gets the same message as a wrong value.
  }
  throw wrongArguments('npm run soak takes -- --minutes, a number from 1 to 600.');
}

/** Runs three API processes and three workers with a Redis Cluster, as on several machines. */
export async function drillScale({ args, signal }) {
  refuseArguments('npm run drill:scale', args);
  await takeSteps({ signal });
  return runScript(['e2e/drills/scale.ts'], { signal });
}

/** Builds everything that npm start runs. */
export async function build({ args, signal }) {
  refuseArguments('npm run build', args);
  await takeSteps({ signal });
  return 0;
}

/** Formats every file. */
export async function format({ args, signal }) {
  refuseArguments('npm run format', args);
  await install({ signal });
  return runInForeground({ command: [bin('oxfmt'), '.'], cwd: ROOT, signal });
}
