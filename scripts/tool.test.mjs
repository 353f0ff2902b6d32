import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const TOOL = fileURLToPath(new URL('./tool.mjs', import.meta.url));
/** A tool that starts another process, as npx does. Both hold standard error open. */
const SLOW = `
const { spawn } = require('node:child_process');
spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
console.error(process.pid);
setInterval(() => {}, 1000);`;

test('a killed command leaves nothing behind of the tool that it ran', async ({
  onTestFinished,
}) => {
  const command = JSON.stringify([process.execPath, '-e', SLOW]);
  const script = `import { runInForeground } from ${JSON.stringify(TOOL)};
await runInForeground({ command: ${command}, cwd: '/' });`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [pid] = await once(createInterface({ input: parent.stderr }), 'line');
  let isOver = false;
  onTestFinished(() => isOver || process.kill(-Number(pid), 'SIGKILL'));

  parent.kill('SIGKILL');
  // Ends only once nothing has its standard error open.
  const [, signal] = await once(parent, 'close');
  isOver = true;

  expect(signal).toBe('SIGKILL');
});
