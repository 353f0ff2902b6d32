import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('schema/', import.meta.url);
const BASELINE = [
  'migrations',
  'functions',
  'leads',
  'sync',
  'people',
  'money',
  'operators',
  'alerts',
];

/**
 * The SQL of a build: migrations by name, each applied once, and the files that every migrate runs
 * again.
 */
export type Schema = {
  migrations: Record<string, string>;
  functions: string;
  views: string;
  grants: string;
};

/** Reads the files of `schema/`: the baseline, then the numbered migrations beside it. */
export function readSchema(): Schema {
  const read = (name: string) => readFileSync(new URL(`${name}.sql`, FOLDER), 'utf8');
  const numbered = readdirSync(FOLDER)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .toSorted()
    .map((file) => file.replace('.sql', ''));
  return {
    migrations: {
      baseline: BASELINE.map(read).join('\n'),
      ...Object.fromEntries(numbered.map((name) => [name, read(name)])),
    },
    functions: read('functions'),
    views: read('views'),
    grants: read('grants'),
  };
}
