import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { expect, test as base } from 'vitest';

import { findUnlinted } from './unlinted.mjs';

const FILES = {
  'packages/schema/src/lead.ts': '',
  'packages/platform/src/leads.ts': "import type { Lead } from '@site/schema/lead';",
  'services/api/src/main.ts': "import { leads } from '@site/platform/leads';",
  'web/src/main.tsx': "import type { Lead } from '@site/schema/lead';",
  'e2e/journey.spec.ts': '',
  'bench/main.ts': '',
  'deploy/run.mjs': '',
  'scripts/lint/plugin.mjs': '',
  'vitest.config.ts': '',
  '.oxlintrc.json': '{}',
  'tsconfig.base.json': '{}',
  'tsconfig.json': '{}',
  'pnpm-lock.yaml': '',
};

const test = base.extend('tree', async ({ onTestFinished }) => {
  const root = mkdtempSync(join(tmpdir(), 'unlinted-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(FILES)) write(path, text);
  return { root, write };
});

test('everything is linted until the linter has passed it once, and then nothing is', ({
  tree,
}) => {
  const first = findUnlinted(tree.root);

  first.remember();

  expect(first.folders).toEqual(['.']);
  expect(findUnlinted(tree.root).folders).toEqual([]);
});

test.for([
  ['web/src/main.tsx', ['web']],
  ['deploy/run.mjs', ['deploy', 'scripts', 'vitest.config.ts']],
  ['packages/platform/src/leads.ts', ['packages/platform', 'services/api']],
  ['packages/schema/src/lead.ts', ['packages/platform', 'packages/schema', 'services/api', 'web']],
  ['scripts/lint/plugin.mjs', ['.']],
])(
  'after a change of %s the linter reads its folder, and what imports that',
  ([path, folders], { tree }) => {
    findUnlinted(tree.root).remember();

    tree.write(path, 'changed');

    expect(findUnlinted(tree.root).folders).toEqual(folders);
  },
);
