// npm run drill: the long drills, then minutes of random failures on the whole product. Then many
// runs of the models of the sync, of a subscription's events and of people, and a fuzz of every
// call's parameters.
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { wrongArguments } from '../failure.mjs';
import { ROOT } from '../settings.mjs';
import { takeSteps } from '../steps.mjs';
import { runInForeground } from '../tool.mjs';

const MODEL_RUNS_A_MINUTE = 60;
const bin = (name) => join(ROOT, 'node_modules/.bin', name);

export async function drill({ args, signal }) {
  const { seed, minutes, only } = readArguments(args);
  await takeSteps({ signal });
  const vitest = (env, ...args) =>
    runInForeground({ command: [bin('vitest'), 'run', ...args], cwd: ROOT, signal, env });
  const random = [bin('tsx'), 'e2e/drills/run.ts', '--seed', seed, '--minutes', minutes];
  const fuzz = () =>
    vitest({ FUZZ: 'whole' }, '--project=integration', 'services/api/src/http/fuzz.test.ts');
  if (only === 'fuzz') return fuzz();
  if (only !== undefined)
    return runInForeground({ command: [...random, '--case', only], cwd: ROOT, signal });
  const long = await vitest({}, '--project=long-drills');
  const drilled = await runInForeground({ command: random, cwd: ROOT, signal });
  console.log(`\nThe sync's model, with the same seed, and events of Stripe in any order`);
  const modelled = await vitest(
    { MODEL_RUNS: String(Math.ceil(Number(minutes) * MODEL_RUNS_A_MINUTE)), MODEL_SEED: seed },
    '--project=integration',
    'services/worker/src/sync/sync.model.test.ts',
    'services/api/src/billing/inbox/event-order.test.ts',
    'services/api/src/admin/privacy/people.model.test.ts',
  );
  console.log('\nAnything in every parameter of every call');
  const fuzzed = await fuzz();
  return [long, drilled, modelled, fuzzed].every((code) => code === 0) ? 0 : 1;
}

function readArguments(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        seed: { type: 'string' },
        minutes: { type: 'string', default: '5' },
        case: { type: 'string' },
      },
    });
    const { seed = String(randomInt(2 ** 31)), minutes, case: only } = values;
    if (/^\d+$/.test(seed) && Number(minutes) > 0) return { seed, minutes, only };
  } catch {
    // An unknown option gets the same message as a wrong value.
  }
  throw wrongArguments(
    'npm run drill takes -- --seed (a whole number), --minutes (a number above 0) and --case (part of the name of the only case to run).',
  );
}
