// Maps commands to tasks and handles what they share: stop requests, error messages and exit codes.
import { Failure, report } from './failure.mjs';
import { loadEnvFile } from './settings.mjs';
import { listenForStop } from './stop-requests.mjs';

const STOPPED = 130;

const command = async () => (await import('./tasks/command.mjs')).runServiceCommand;

/** Each entry loads only its own task. */
const TASKS = {
  start: async () => (await import('./tasks/start.mjs')).start,
  dev: async () => (await import('./tasks/start.mjs')).start,
  test: async () => (await import('./tasks/test.mjs')).test,
  check: async () => (await import('./tasks/check.mjs')).check,
  bench: async () => (await import('./tasks/bench.mjs')).bench,
  drill: async () => (await import('./tasks/drill.mjs')).drill,
  demo: async () => (await import('./tasks/demo.mjs')).demo,
  migrate: command,
  'admin-user': command,
  'stripe-setup': command,
  'stripe-replay': command,
  doctor: command,
  reconcile: command,
};

/** Runs the named task to its end and exits with its code. A task gets its name, its arguments and a stop signal. */
export async function runTask([name, ...args]) {
  const signal = listenForStop();
  let exitCode = 1;
  try {
    if (!Object.hasOwn(TASKS, name ?? '')) {
      const problem = name === undefined ? 'No task was named' : `There is no task "${name}"`;
      throw new Failure(`${problem}. Use: node scripts/run.mjs ${Object.keys(TASKS).join(' | ')}`);
    }
    loadEnvFile();
    const task = await TASKS[name]();
    exitCode = await task({ name, args, signal });
  } catch (error) {
    if (signal.aborted) exitCode = STOPPED;
    else report(error);
  }
  process.exit(exitCode);
}
