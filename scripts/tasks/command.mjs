// npm run migrate, admin:user, stripe:setup, doctor and others: one command on the database of npm
// start.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { claimDataFolder, readRunning } from '../data-folder.mjs';
import { Failure } from '../failure.mjs';
import { dataFolderPath, ROOT } from '../settings.mjs';
import { takeSteps } from '../steps.mjs';

/** Commands about a running system, with the exit code if no system is running. */
const NEEDS_RUNNING = { doctor: 1, reconcile: 2, 'stripe-replay': 1 };

export async function runServiceCommand({ name, args, signal }) {
  const dataDir = dataFolderPath();
  await takeSteps({ signal });
  const { checkArguments, runCommand } =
    await import('../../packages/local-infra/dist/run-command.js');
  const options = { name, args, rootDir: ROOT, dataDir, env: process.env, signal };
  const explained = await checkArguments(options);
  if (explained !== undefined) return explained;

  const running = readRunning(dataDir);
  const hasDatabase = Boolean(process.env.DATABASE_URL || process.env.DATABASE_URL_FILE);
  // The others need Postgres alone, which runs for them if there is one.
  const isFresh = name !== 'migrate' && !existsSync(join(dataDir, 'postgres'));
  if (!hasDatabase && running === undefined && (isFresh || Object.hasOwn(NEEDS_RUNNING, name))) {
    throw new Failure('Start the system first: npm start', { exitCode: NEEDS_RUNNING[name] ?? 1 });
  }
  if (!hasDatabase && running !== undefined && running.databaseUrl === undefined) {
    throw new Failure(`${running.what} is not ready yet: try again when it is.`);
  }
  const command = `npm run ${process.env.npm_lifecycle_event ?? name}`;
  // Only a command that starts Postgres itself may not share the folder.
  const folder = hasDatabase || running ? undefined : claimDataFolder(dataDir, command);
  // Those of the running system, which another shell may have set.
  const env = { ...process.env, ...running?.ports };
  try {
    return await runCommand({ ...options, env, running });
  } finally {
    folder?.release();
  }
}
