// npm start installs, builds and runs everything until it is asked to stop. npm run dev does the
// same with reload.
import { claimDataFolder } from '../data-folder.mjs';
import { refuseArguments } from '../failure.mjs';
import { checkPorts } from '../ports.mjs';
import { dataFolderPath, ROOT } from '../settings.mjs';
import { takeSteps } from '../steps.mjs';

export async function start({ name, args, signal }) {
  const isDev = name === 'dev';
  const command = isDev ? 'npm run dev' : 'npm start';
  refuseArguments(command, args);
  const dataDir = dataFolderPath();
  const folder = claimDataFolder(dataDir, command);
  try {
    await checkPorts(process.env);
    await takeSteps({ signal });
    const { runAll } = await import('../../packages/local-infra/dist/run-all.js');
    await runAll({
      rootDir: ROOT,
      dataDir,
      env: process.env,
      signal,
      onConnections: folder.record,
      isDev,
    });
  } catch (error) {
    // Being stopped is the normal end.
    if (!signal.aborted) throw error;
  } finally {
    folder.release();
  }
  return 0;
}
