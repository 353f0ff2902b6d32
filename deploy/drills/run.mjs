// Drills of the whole stack in containers: npm run drill:compose [-- journey kills …]
import { run } from './stack.mjs';

const DRILLS = {
  journey: () => import('./journey.mjs'),
  kills: () => import('./kills.mjs'),
  stop: () => import('./stop.mjs'),
  rolling: () => import('./rolling.mjs'),
  'bad-release': () => import('./bad-release.mjs'),
  backup: () => import('./backup.mjs'),
  'secret-files': () => import('./secret-files.mjs'),
  secrets: () => import('./secrets.mjs'),
  archive: () => import('./archive.mjs'),
  managed: () => import('./managed.mjs'),
  pages: () => import('./pages.mjs'),
  kubernetes: () => import('./kubernetes.mjs'),
  upgrade: () => import('./upgrade.mjs'),
};
const USAGE = `Drills of the whole stack in containers, which take several minutes.
  npm run drill:compose                  all of them
  npm run drill:compose -- kills backup  some of them: ${Object.keys(DRILLS).join(', ')}`;
const chosen = process.argv.slice(2).filter((arg) => arg !== '--');
if (chosen.includes('--help') || chosen.includes('-h')) {
  console.log(USAGE);
  process.exit(0);
}
if (chosen.some((name) => !Object.hasOwn(DRILLS, name))) {
  console.error(USAGE);
  process.exit(2);
}

let failed = 0;
console.log('Building the images …');
await run('docker', ['compose', 'build']);
for (const name of chosen.length > 0 ? chosen : Object.keys(DRILLS)) {
  const started = Date.now();
  console.log(`${name}:`);
  try {
    const { drill } = await DRILLS[name]();
    await drill();
    console.log(`  passed in ${Math.round((Date.now() - started) / 1_000)} s`);
  } catch (error) {
    failed += 1;
    console.error(`  ${error.message}`);
  }
}
process.exit(failed === 0 ? 0 : 1);
