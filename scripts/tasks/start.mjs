// npm start: installs, builds, and runs everything until it is asked to stop; npm run dev: the same, with reload.
import { claimDataFolder } from '../data-folder.mjs';
import { report } from '../failure.mjs';
import { checkPorts } from '../ports.mjs';
import { dataFolderPath, loadEnvFile, ROOT } from '../settings.mjs';
import { takeSteps } from '../steps.mjs';
import { listenForStop } from '../stop-requests.mjs';

const isDev = process.argv[2] === 'dev';
const signal = listenForStop();
let folder;
let exitCode = 0;
try {
  loadEnvFile();
  const dataDir = dataFolderPath();
  folder = claimDataFolder(dataDir, isDev ? 'npm run dev' : 'npm start');
  await checkPorts(process.env);
  await takeSteps({ signal });
  const { runAll } = await import('../../packages/local-infra/dist/run-all.js');
  await runAll({ rootDir: ROOT, dataDir, env: process.env, signal, onConnections: folder.record, isDev });
} catch (error) {
  if (!signal.aborted) {
    report(error);
    exitCode = 1;
  }
} finally {
  folder?.release();
}
process.exit(exitCode);
