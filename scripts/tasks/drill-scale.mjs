// npm run drill:scale: three API processes and three workers with a Redis Cluster, as on several machines.
import { join } from 'node:path';

import { refuseArguments } from '../failure.mjs';
import { ROOT } from '../settings.mjs';
import { takeSteps } from '../steps.mjs';
import { runInForeground } from '../tool.mjs';

export async function drillScale({ args, signal }) {
  refuseArguments('npm run drill:scale', args);
  await takeSteps({ signal });
  const command = [join(ROOT, 'node_modules/.bin/tsx'), 'e2e/drills/scale.ts'];
  return runInForeground({ command, cwd: ROOT, signal });
}
