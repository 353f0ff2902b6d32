// Drills of the whole stack in containers: npm run drill:compose [-- journey kills rolling backup]
import { run } from './stack.mjs';

const DRILLS = {
  journey: () => import('./journey.mjs'),
  kills: () => import('./kills.mjs'),
  rolling: () => import('./rolling.mjs'),
  backup: () => import('./backup.mjs'),
};
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(DRILLS, name));
if (unknown.length > 0) {
  console.error(`No such drill: ${unknown.join(', ')}. There are: ${Object.keys(DRILLS).join(', ')}.`);
  process.exit(1);
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
