// npm run contract: one suite of cases on the sandbox and, with test keys, on the real Stripe and Beehiiv.
import { join } from 'node:path';

import { ROOT } from '../settings.mjs';
import { install } from '../steps.mjs';
import { runInForeground } from '../tool.mjs';

export async function contract({ args, signal }) {
  await install({ signal });
  // From source: a build of everything else would take longer than the suite.
  const command = [join(ROOT, 'node_modules/.bin/tsx'), 'src/contract/main.ts', ...args];
  return runInForeground({ command, cwd: join(ROOT, 'services/sandbox'), signal });
}
