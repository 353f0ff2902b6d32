// Released migrations never change, because installed databases have run them. Before each release,
// this records new files: node scripts/released-migrations.mjs. A test compares the record with the
// files.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from './settings.mjs';

const FOLDER = join(ROOT, 'packages/platform/src/database/schema');
const RECORD = join(ROOT, 'scripts/released-migrations.json');
/** Every migrate runs these again, so a release may change them. */
const REPLACED = ['functions.sql', 'views.sql', 'judgement.sql', 'grants.sql'];

/** Returns the checksum of each released file. */
export function readReleased() {
  return JSON.parse(readFileSync(RECORD, 'utf8'));
}

/**
 * Returns the current checksum of each file: the baseline's, then the numbered migrations in their
 * order.
 */
export function readMigrations() {
  const checksumOf = (file) =>
    createHash('sha256')
      .update(readFileSync(join(FOLDER, file)))
      .digest('hex');
  const files = readdirSync(FOLDER).filter((file) => !REPLACED.includes(file));
  return Object.fromEntries(
    [...files.filter((file) => !isNumbered(file)), ...files.filter(isNumbered).toSorted()].map(
      (file) => [file, checksumOf(file)],
    ),
  );
}

const isNumbered = (file) => /^\d{4}_/.test(file);

/** Returns the forbidden changes of migrations since the release. */
export function findChanges(released, migrations) {
  const last = Object.keys(released).findLast(isNumbered) ?? '';
  const changed = Object.entries(released).flatMap(([file, checksum]) => {
    if (migrations[file] === undefined) return [`${file} was released and is missing: restore it.`];
    return migrations[file] === checksum
      ? []
      : [`${file} was released and has changed: add a migration instead.`];
  });
  const before =
    Object.keys(released).length === 0
      ? []
      : Object.keys(migrations).filter(
          (file) => released[file] === undefined && !(isNumbered(file) && file > last),
        );
  return [
    ...changed,
    ...before.map((file) => `${file} comes before a released one: give it the next number.`),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const migrations = readMigrations();
  const released = readReleased();
  const changes = findChanges(released, migrations);
  if (changes.length > 0) {
    console.error(changes.join('\n'));
    process.exit(1);
  }
  writeFileSync(RECORD, `${JSON.stringify(migrations, null, 2)}\n`);
  const added = Object.keys(migrations).filter((file) => released[file] === undefined);
  console.log(
    added.length > 0 ? `Recorded as released: ${added.join(', ')}.` : 'Nothing new to record.',
  );
}
