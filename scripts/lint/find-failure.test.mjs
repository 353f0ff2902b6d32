import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ROOT } from '../settings.mjs';
import { LAYERS, WORKSPACES } from './directions.mjs';
import { findFailure } from './find-failure.mjs';

const directions = {
  workspaces: {
    'packages/schema': { may: [], only: ['zod'] },
    'services/api': { may: ['schema'] },
  },
  layers: {
    'services/api/src': [['main'], ['app'], ['checkout', 'leads'], ['settings', '*']],
    'services/api/src/pages': [['*/']],
  },
};
const find = (file, specifier) => findFailure(file, specifier, directions);

test.for([
  ['a lower layer', 'services/api/src/leads/lead.service.ts', '../settings.ts'],
  ['a file of its own folder', 'services/api/src/leads/lead.service.ts', './lead.repository.ts'],
  ['a file beside it that is named in no layer', 'services/api/src/settings.ts', './clock.ts'],
  ['a workspace that it may import', 'services/api/src/leads/lead.service.ts', '@site/schema/lead'],
  ['a package', 'services/api/src/app.ts', 'express'],
  ['anything in a test', 'services/api/src/leads/lead.test.ts', '../checkout/open-session.ts'],
  ['anything outside the workspaces', 'scripts/run.mjs', '../web/src/main.tsx'],
])('a file may import %s', ([, file, specifier]) => {
  expect(find(file, specifier)).toBeUndefined();
});

test.for([
  [
    'services/api/src/checkout/open-session.ts',
    '../app.ts',
    'checkout may not import app, which is above it',
  ],
  [
    'services/api/src/checkout/open-session.ts',
    '../leads/lead.ts',
    'checkout may not import leads, which is beside it',
  ],
  ['services/api/src/settings.ts', './main.ts', 'settings may not import main, which is above it'],
  ['services/api/src/pages/a/a.ts', '../b/b.ts', 'a may not import b, which is beside it'],
  ['services/api/src/app.ts', './new/new.ts', 'new is in no layer of services/api/src'],
  [
    'services/api/src/leads/a/a.ts',
    '../b/b.ts',
    'services/api/src/leads has folders, but no layers',
  ],
  [
    'services/api/src/app.ts',
    '@site/testing/fixtures',
    'services/api may not import @site/testing/fixtures',
  ],
  ['packages/schema/src/lead.ts', 'node:crypto', 'packages/schema may not import node:crypto'],
])('the failure explains why %s may not import %s', ([file, specifier, failure]) => {
  expect(find(file, specifier)).toBe(failure);
});

test('the directions name only existing folders and files', () => {
  const extensions = ['', '.ts', '.tsx', '.js'];
  const isThere = (path) =>
    extensions.some((extension) => existsSync(join(ROOT, `${path}${extension}`)));
  const named = [
    ...Object.keys(WORKSPACES),
    ...Object.entries(LAYERS).flatMap(([folder, layers]) =>
      layers.flat().flatMap((name) => (name.startsWith('*') ? [] : [`${folder}/${name}`])),
    ),
  ];

  expect(named.filter((path) => !isThere(path))).toEqual([]);
});
