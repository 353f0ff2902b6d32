// Runs before the rest of the stack. Lists every missing or invalid setting at once, and stops the stack.
// Compose's ${NAME:?message} cannot do this: it is evaluated for each file before the override supplies its values, so it
// would stop the sandbox's stack too.
import { readSettings, SettingsError } from '../packages/platform/dist/read-settings.js';
import { apiSettings } from '../services/api/dist/settings.js';
import { workerSettings } from '../services/worker/dist/settings.js';

const { env } = process;
/** Compose builds the two addresses from these passwords. */
const withPasswordsName = (sentence) =>
  sentence
    .replace(/^DATABASE_URL is not usable: (.*)its password/, 'POSTGRES_PASSWORD is not usable: $1it')
    .replace(/^REDIS_URL is not usable: (.*)its password/, 'REDIS_PASSWORD is not usable: $1it')
    .replace(/^REDIS_URL is not usable: it has no password/, 'REDIS_PASSWORD is missing');
const sentences = new Set();

for (const schema of [apiSettings, workerSettings]) {
  try {
    readSettings(schema, env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    for (const sentence of error.message.split('\n')) sentences.add(withPasswordsName(sentence));
  }
}

const password = env.POSTGRES_PASSWORD ?? '';
if (password === '') sentences.add('POSTGRES_PASSWORD is missing.');
for (const name of ['POSTGRES_PASSWORD', 'REDIS_PASSWORD']) {
  // Each becomes part of a URL.
  if (!/^[\w.~-]*$/.test(env[name] ?? '')) {
    sentences.add(
      `${name} is not usable: it may contain only letters, digits and - . _ ~ (for example from: openssl rand -hex 24).`,
    );
  }
}

if (sentences.size > 0) {
  console.error('The stack cannot start. Set these in .env beside docker-compose.yml, or in the environment:');
  for (const sentence of sentences) console.error(`  ${sentence}`);
  process.exit(1);
}
console.log('All required settings are set.');
