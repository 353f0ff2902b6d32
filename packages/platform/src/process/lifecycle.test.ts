// @module-tag long
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';

const STOP_DEADLINE_MS = 5_000;
const PROCESS = `
  import { stopOnSignals } from './lifecycle.ts';
  import { createLogger } from './logger.ts';
  const log = createLogger({ service: 'test', level: 'info' });
  stopOnSignals(log, () => [{ name: 'part', close: () => Promise.reject(new Error('broken')) }]);
  log.info('ready');
  setInterval(() => log.info({ filler: 'x'.repeat(Number(process.argv[1])) }, 'tick'), 5);
  const watching = setInterval(() => {
    if (!process.stdout.writableNeedDrain) return;
    clearInterval(watching);
    process.send('the reader is behind');
  }, 5);
`;

/**
 * Starts a process that logs a line of this length every 5 ms, and resolves when it has logged its
 * first.
 */
async function startLogging(fillerBytes: number) {
  const options = [
    '--import',
    'tsx',
    '--input-type=module',
    '--eval',
    PROCESS,
    String(fillerBytes),
  ];
  const child = spawn(process.execPath, options, {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const { stdout } = child;
  if (!stdout) throw new Error('The process has no output');
  await once(stdout, 'data');
  return {
    child,
    stdout,
    /** Sends SIGTERM. Returns the exit code, or "still running". */
    stop: async () => {
      const exited = once(child, 'exit').then(([code]) => code as number);
      child.kill('SIGTERM');
      const end = await Promise.race([
        exited,
        sleep(STOP_DEADLINE_MS, 'still running', { ref: false }),
      ]);
      child.kill('SIGKILL');
      return end;
    },
  };
}

test('a process whose log lost its reader ends on SIGTERM', async () => {
  const { stdout, stop } = await startLogging(0);
  stdout.destroy();

  expect(await stop()).toBe(0);
});

test('a process ends on SIGTERM while its log’s reader is stuck', async () => {
  const { child, stdout, stop } = await startLogging(100_000);
  stdout.pause();
  await once(child, 'message');

  expect(await stop()).toBe(0);
});

test('the last lines reach a reader that is slow', async () => {
  const { child, stdout, stop } = await startLogging(100_000);
  let output = '';
  stdout.pause();
  await once(child, 'message');
  stdout.on('data', (chunk: Buffer) => (output += chunk.toString())).resume();
  const closed = once(stdout, 'close');

  expect(await stop()).toBe(0);
  await closed;
  expect(output).toContain('"msg":"stopped"');
});
