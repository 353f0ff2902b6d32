// Maps commands to tasks and handles stop requests, error messages and exit codes for all.
import { report, wrongArguments } from './failure.mjs';
import { refuseRoot } from './root-folder.mjs';
import { loadEnvFile, ROOT } from './settings.mjs';
import { listenForStop } from './stop-requests.mjs';

const STOPPED = 130;

const command = async () => (await import('./tasks/command.mjs')).runServiceCommand;

/** Each entry loads only its own task. */
const TASKS = {
  start: async () => (await import('./tasks/start.mjs')).start,
  dev: async () => (await import('./tasks/start.mjs')).start,
  test: async () => (await import('./tasks/test.mjs')).test,
  check: async () => (await import('./tasks/check.mjs')).check,
  lint: async () => (await import('./tasks/check.mjs')).lint,
  typecheck: async () => (await import('./tasks/check.mjs')).typecheck,
  format: async () => (await import('./tasks/program.mjs')).format,
  build: async () => (await import('./tasks/program.mjs')).build,
  bench: async () => (await import('./tasks/program.mjs')).bench,
  drill: async () => (await import('./tasks/drill.mjs')).drill,
  'drill-scale': async () => (await import('./tasks/program.mjs')).drillScale,
  soak: async () => (await import('./tasks/program.mjs')).soak,
  demo: async () => (await import('./tasks/demo.mjs')).demo,
  contract: async () => (await import('./tasks/contract.mjs')).contract,
  migrate: command,
  'admin-user': command,
  'stripe-setup': command,
  'stripe-replay': command,
  doctor: command,
  reconcile: command,
};

/** The texts for --help. A service's commands have their own. */
const USAGES = {
  start:
    'npm start  installs, builds, migrates and runs everything, until Ctrl-C. Settings: .env.example',
  dev: 'npm run dev  the same from source; restarts and reloads on a change',
  test: 'npm test [-- part [name]]  runs every test, or one part of them; see CONTRIBUTING.md, "Tests"',
  check: 'npm run check  format, lint, types and dead code, without a build',
  lint: 'npm run lint  the lint of npm run check alone',
  typecheck: 'npm run typecheck  the types of npm run check alone',
  format: 'npm run format  formats every file',
  build: 'npm run build  builds API, worker, sandbox and site, as far as they have changed',
  bench: 'npm run bench [-- case ...]  measures speed and memory beside the usual implementations',
  drill: 'npm run drill [-- --seed N --minutes N --case NAME]  failures on the whole product',
  'drill-scale':
    'npm run drill:scale  three of each process with a Redis Cluster; needs redis-server',
  soak: 'npm run soak [-- --minutes N]  memory, event-loop delay and open handles stay flat for ten minutes',
  demo: `npm run demo [-- number]   sends leads to the running system, and a year of payments in the sandbox
npm run demo -- --break    shows, step by step, Beehiiv failing and nothing being lost`,
};

/** The flags that npm would keep for itself. */
const FLAGS = {
  demo: ['break'],
  drill: ['seed', 'minutes', 'case'],
  soak: ['minutes'],
  contract: ['email'],
  migrate: ['login-file'],
  'stripe-setup': ['dry-run', 'live'],
  'stripe-replay': ['since', 'all'],
  doctor: ['json'],
  reconcile: ['fix', 'json'],
};

/**
 * Runs the named task to its end and exits with its code. A task gets its name, its arguments and a
 * stop signal.
 */
export async function runTask([name, ...given]) {
  // pnpm passes on the -- that npm takes away.
  const args = given[0] === '--' ? given.slice(1) : given;
  const signal = listenForStop();
  let exitCode = 1;
  try {
    if (!Object.hasOwn(TASKS, name ?? '')) {
      const problem = name === undefined ? 'No task was named' : `There is no task "${name}"`;
      throw wrongArguments(
        `${problem}. Use: node scripts/run.mjs ${Object.keys(TASKS).join(' | ')}`,
      );
    }
    if (isHelpAsked(args) && Object.hasOwn(USAGES, name)) {
      console.log(USAGES[name]);
      process.exit(0);
    }
    refuseSwallowed(name);
    refuseRoot(ROOT);
    loadEnvFile();
    const task = await TASKS[name]();
    exitCode = await task({ name, args, signal });
  } catch (error) {
    if (signal.aborted) exitCode = STOPPED;
    else {
      report(error);
      exitCode = error?.exitCode ?? 1;
    }
  }
  process.exit(exitCode);
}

/** npm keeps flags that are not after --, and passes them on as settings of its own. */
function refuseSwallowed(name) {
  const flag = FLAGS[name]?.find(
    (each) => process.env[`npm_config_${each.replaceAll('-', '_')}`] !== undefined,
  );
  if (flag === undefined) return;
  const command = process.env.npm_lifecycle_event ?? name;
  throw wrongArguments(
    `npm kept --${flag} for itself. Put -- before it: npm run ${command} -- --${flag}`,
  );
}

function isHelpAsked(args) {
  return args.includes('--help') || args.includes('-h');
}
