// npm run soak: leads, visitors and an operator for ten minutes, or "-- --minutes 60". Memory, event-loop delay and open
// handles must stay flat.
import { join } from 'node:path';

import { ROOT } from '../settings.mjs';
import { takeSteps } from '../steps.mjs';
import { runInForeground } from '../tool.mjs';

export async function soak({ args, signal }) {
  await takeSteps({ signal });
  const command = [join(ROOT, 'node_modules/.bin/tsx'), 'soak.ts', ...args];
  return runInForeground({ command, cwd: join(ROOT, 'bench'), signal });
}
