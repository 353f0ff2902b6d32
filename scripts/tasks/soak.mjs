// npm run soak: leads, a visitor, an operator, a flaky Beehiiv and worker restarts for ten minutes, or "-- --minutes 60".
// Memory, handles, connections and dead rows must stay flat, tables grow with the leads, and no lead is lost.
import { join } from 'node:path';

import { ROOT } from '../settings.mjs';
import { takeSteps } from '../steps.mjs';
import { runInForeground } from '../tool.mjs';

export async function soak({ args, signal }) {
  await takeSteps({ signal });
  const command = [join(ROOT, 'node_modules/.bin/tsx'), 'soak.ts', ...args];
  return runInForeground({ command, cwd: join(ROOT, 'bench'), signal });
}
