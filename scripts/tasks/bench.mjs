// npm run bench: measures the promised speed and memory use, and compares them with the usual implementations.
import { join } from 'node:path';

import { browserTests } from '../browser.mjs';
import { refuseArguments } from '../failure.mjs';
import { ROOT } from '../settings.mjs';
import { takeSteps } from '../steps.mjs';
import { runInForeground } from '../tool.mjs';

export async function bench({ args, signal }) {
  refuseArguments('npm run bench', args);
  await takeSteps({ signal });
  const command = [join(ROOT, 'node_modules/.bin/tsx'), '--conditions=development', 'main.ts'];
  const measured = await runInForeground({ command, cwd: join(ROOT, 'bench'), signal });
  console.log('\nThe landing page, on a phone:');
  const onPhone = browserTests(['--project=looks', '--reporter=line', 'site-lighthouse']);
  return (await runInForeground({ ...onPhone, signal })) || measured;
}
