import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { expect, test as base } from 'vitest';

import { fingerprint, unlessDone } from './fingerprint.mjs';

const test = base.extend('tree', async ({ onTestFinished }) => {
  const root = mkdtempSync(join(tmpdir(), 'fingerprint-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('src/a.ts', 'one');
  write('src/deep/b.ts', 'two');
  return { root, write, print: () => fingerprint(root, ['src', 'tsconfig.json']) };
});

test('a fingerprint ignores unchanged rewrites and builds', ({ tree }) => {
  const before = tree.print();

  tree.write('src/a.ts', 'one');
  tree.write('src/dist/a.js', 'built');

  expect(tree.print()).toBe(before);
});

test.for([
  ['a file changes', (tree) => tree.write('src/a.ts', 'three')],
  ['a file is added', (tree) => tree.write('src/c.ts', '')],
  [
    'a file moves',
    (tree) => renameSync(join(tree.root, 'src/a.ts'), join(tree.root, 'src/deep/a.ts')),
  ],
  ['a file that was absent appears', (tree) => tree.write('tsconfig.json', '')],
])('a fingerprint changes when %s', ([, change], { tree }) => {
  const before = tree.print();

  change(tree);

  expect(tree.print()).not.toBe(before);
});

test('a step in a folder that cannot be written fails before it begins', async ({ tree }) => {
  // Root may write everywhere but below a file.
  const root = join(tree.root, 'src/a.ts/clone');
  let hasBegun = false;

  const step = unlessDone({ root, name: 'step', print: 'first', outputs: [] }, () => {
    hasBegun = true;
  });

  await expect(step).rejects.toThrow(
    `The folder ${root} cannot be written (ENOTDIR): use a copy of the sources that you own.`,
  );
  expect(hasBegun).toBe(false);
});

test('a step runs once per fingerprint, and again after a failure or a missing output', async ({
  tree,
}) => {
  const done = [];
  const run = (print, work = () => tree.write('out', '')) =>
    unlessDone({ root: tree.root, name: 'step', print, outputs: ['out'] }, async () => {
      done.push(print);
      work();
    });
  const fail = () => {
    throw new Error('no');
  };

  await run('first');
  await run('first');
  await expect(run('second', fail)).rejects.toThrow('no');
  await run('second');
  rmSync(join(tree.root, 'out'));
  await run('second');

  expect(done).toEqual(['first', 'second', 'second', 'second']);
});
