import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { listFiles } from './fingerprint.mjs';

const RECORD = '.cache/linted.json';
const SHARED = [
  '.oxlintrc.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'pnpm-lock.yaml',
  'scripts/lint',
];
const READ = /\.(?:tsx?|m?js|json|yaml)$/;

/**
 * Names the folders to lint: folders changed since the linter passed them, and folders that import
 * these, because typed rules depend on both. If the linter has passed none, everything is linted,
 * so that no new folder is left out for good. `remember` records that the linter has passed all.
 */
export function findUnlinted(root) {
  const read = (path) =>
    listFiles(join(root, path))
      .filter((file) => READ.test(file))
      .map((file) => [file, readFileSync(file, 'utf8')]);
  const contents = new Map(
    listFolders(root).map((folders) => [folders, folders.split(' ').flatMap(read)]),
  );
  const shared = SHARED.flatMap(read);
  const prints = [...contents.keys()].map((folder) => {
    const hash = createHash('sha256');
    const files = [
      ...shared,
      ...[...withImports(folder, contents)].flatMap((name) => contents.get(name)),
    ];
    for (const [name, text] of files) hash.update(`${name}\0${text}\0`);
    return [folder, hash.digest('hex')];
  });
  const linted = readRecord(join(root, RECORD));
  const stale = prints
    .filter(([folder, print]) => linted[folder] !== print)
    .map(([folder]) => folder);
  return {
    folders:
      stale.length === prints.length ? ['.'] : stale.flatMap((folders) => folders.split(' ')),
    remember() {
      mkdirSync(dirname(join(root, RECORD)), { recursive: true });
      writeFileSync(join(root, RECORD), JSON.stringify(Object.fromEntries(prints)));
    },
  };
}

function listFolders(root) {
  const inside = ['packages', 'services'].flatMap((at) =>
    readdirSync(join(root, at)).map((own) => `${at}/${own}`),
  );
  // Those at the end have no configuration of their own, and share the types of one program.
  return [...inside, 'web', 'e2e', 'bench', 'deploy scripts vitest.config.ts'];
}

function withImports(folder, contents, imports = new Set()) {
  if (imports.has(folder)) return imports;
  imports.add(folder);
  for (const [, text] of contents.get(folder)) {
    for (const [, name] of text.matchAll(/'@site\/([\w-]+)/g)) {
      const imported = [...contents.keys()].find((path) => path.endsWith(`/${name}`));
      if (imported !== undefined) withImports(imported, contents, imports);
    }
  }
  return imports;
}

function readRecord(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
