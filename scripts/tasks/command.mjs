// npm run migrate, admin:user, stripe:setup, doctor and others: one command on the database of npm start.
import { claimDataFolder, readRunning } from '../data-folder.mjs';
import { Failure } from '../failure.mjs';
import { dataFolderPath, ROOT } from '../settings.mjs';
import { takeSteps } from '../steps.mjs';

export async function runServiceCommand({ name, args, signal }) {
  const dataDir = dataFolderPath();
  await takeSteps({ signal });
  const running = process.env.DATABASE_URL ? undefined : readRunning(dataDir);
  if (running !== undefined && running.databaseUrl === undefined) {
    throw new Failure(`${running.what} is not ready yet: try again when it is.`);
  }
  const command = `npm run ${process.env.npm_lifecycle_event ?? name}`;
  const folder = running === undefined ? claimDataFolder(dataDir, command) : undefined;
  try {
    const { runCommand } = await import('../../packages/local-infra/dist/run-command.js');
    return await runCommand({ name, args, rootDir: ROOT, dataDir, env: process.env, signal, running });
  } finally {
    folder?.release();
  }
}
