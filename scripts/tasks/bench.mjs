// npm run bench: measures the promised speed and memory use beside the usual implementations. "npm run bench -- intake"
// runs that case alone.
import { join } from 'node:path';

import { ROOT } from '../settings.mjs';
import { takeSteps } from '../steps.mjs';
import { runInForeground } from '../tool.mjs';

export async function bench({ args, signal }) {
  await takeSteps({ signal });
  const command = [join(ROOT, 'node_modules/.bin/tsx'), 'main.ts', ...args];
  return runInForeground({ command, cwd: join(ROOT, 'bench'), signal });
}
