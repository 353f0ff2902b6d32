// npm run format: formats every file.
import { join } from 'node:path';

import { refuseArguments } from '../failure.mjs';
import { ROOT } from '../settings.mjs';
import { install } from '../steps.mjs';
import { runInForeground } from '../tool.mjs';

export async function format({ args, signal }) {
  refuseArguments('npm run format', args);
  await install({ signal });
  return runInForeground({
    command: [join(ROOT, 'node_modules/.bin/oxfmt'), '.'],
    cwd: ROOT,
    signal,
  });
}
