import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ROOT } from './settings.mjs';

const FOLDER = join(ROOT, '.github/workflows');

test.for(readdirSync(FOLDER))('%s runs others’ actions by digest, without rights that a job does not name', (name) => {
  const workflow = readFileSync(join(FOLDER, name), 'utf8');
  const foreign = [...workflow.matchAll(/uses: (?!\.\/)(.+)/g)].map(([, action]) => action);
  const count = (pattern) => [...workflow.matchAll(pattern)].length;

  expect(foreign).not.toEqual([]);
  expect(foreign.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  expect(workflow).toContain('\npermissions: {}\n');
  expect(count(/^ {4}permissions:$/gm)).toBe(count(/^ {4}(?:runs-on|uses): /gm));
  expect(count(/persist-credentials: false/g)).toBe(count(/actions\/checkout@/g));
});
