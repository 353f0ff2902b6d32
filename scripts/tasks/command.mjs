// npm run migrate, admin:user, stripe:setup, doctor: one command, against the database that npm start uses.
import { claimDataFolder, readRunning } from '../data-folder.mjs';
import { Failure, report } from '../failure.mjs';
import { dataFolderPath, loadEnvFile, ROOT } from '../settings.mjs';
import { takeSteps } from '../steps.mjs';
import { listenForStop } from '../stop-requests.mjs';

const [name, ...args] = process.argv.slice(2);
const signal = listenForStop();
let folder;
let exitCode = 1;
try {
  loadEnvFile();
  const dataDir = dataFolderPath();
  await takeSteps({ signal });
  const running = process.env.DATABASE_URL ? undefined : readRunning(dataDir);
  if (running !== undefined && running.databaseUrl === undefined) {
    throw new Failure(`${running.what} is not ready yet: try again when it is.`);
  }
  if (running === undefined) folder = claimDataFolder(dataDir, `npm run ${process.env.npm_lifecycle_event ?? name}`);
  const { runCommand } = await import('../../packages/local-infra/dist/run-command.js');
  exitCode = await runCommand({ name, args, rootDir: ROOT, dataDir, env: process.env, signal, running });
} catch (error) {
  if (!signal.aborted) report(error);
} finally {
  folder?.release();
}
process.exit(exitCode);
