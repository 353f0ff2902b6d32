// Run once before anything else of the stack: says every setting that is missing or wrong, all at once, and stops it.
// Compose's own ${NAME:?sentence} cannot: it is evaluated for each file by itself, before the override that gives a
// value is read, and would so stop the sandbox's stack too.
import { readSettings, SettingsError } from '../packages/platform/dist/read-settings.js';
import { apiSettings } from '../services/api/dist/settings.js';
import { workerSettings } from '../services/worker/dist/settings.js';

const { env } = process;
const sentences = new Set();

for (const schema of [apiSettings, workerSettings]) {
  try {
    readSettings(schema, env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    for (const sentence of error.message.split('\n')) sentences.add(sentence);
  }
}

const password = env.POSTGRES_PASSWORD ?? '';
if (password === '') sentences.add('POSTGRES_PASSWORD is missing.');
for (const name of ['POSTGRES_PASSWORD', 'REDIS_PASSWORD']) {
  // Each becomes part of an address.
  if (!/^[\w.~-]*$/.test(env[name] ?? '')) {
    sentences.add(`${name} is not usable: letters, digits and - . _ ~ only, for example from: openssl rand -hex 24.`);
  }
}

if (sentences.size > 0) {
  console.error('The stack does not start. Set these in .env beside docker-compose.yml, or in the environment:');
  for (const sentence of sentences) console.error(`  ${sentence}`);
  process.exit(1);
}
console.log('All settings that must be there are there.');
