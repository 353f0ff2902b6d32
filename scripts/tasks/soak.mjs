// npm run soak: leads, a visitor, an operator, a flaky Beehiiv and worker restarts for ten minutes, or "-- --minutes 60".
// Memory, handles, connections and dead rows must stay flat, tables grow with the leads, and no lead is lost.
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { wrongArguments } from '../failure.mjs';
import { ROOT } from '../settings.mjs';
import { takeSteps } from '../steps.mjs';
import { runInForeground } from '../tool.mjs';

export async function soak({ args, signal }) {
  const minutes = readMinutes(args);
  await takeSteps({ signal });
  const command = [join(ROOT, 'node_modules/.bin/tsx'), 'soak.ts', minutes];
  return runInForeground({ command, cwd: join(ROOT, 'bench'), signal });
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
