// npm run bench: what is promised about speed and memory, measured, beside how it is usually done.
import { join } from 'node:path';

import { browserTests } from '../browser.mjs';
import { report } from '../failure.mjs';
import { loadEnvFile, ROOT } from '../settings.mjs';
import { takeSteps } from '../steps.mjs';
import { listenForStop } from '../stop-requests.mjs';
import { runInForeground } from '../tool.mjs';

const signal = listenForStop();
let exitCode = 1;
try {
  loadEnvFile();
  await takeSteps({ signal });
  const command = [join(ROOT, 'node_modules/.bin/tsx'), '--conditions=development', 'main.ts'];
  exitCode = await runInForeground({ command, cwd: join(ROOT, 'bench'), signal });
  console.log('\nThe landing page, on a phone:');
  const onPhone = browserTests(['--project=looks', '--reporter=line', 'site-lighthouse']);
  exitCode = (await runInForeground({ ...onPhone, signal })) || exitCode;
} catch (error) {
  if (signal.aborted) exitCode = 130;
  else report(error);
}
process.exit(exitCode);
