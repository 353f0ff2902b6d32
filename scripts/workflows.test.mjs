import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ROOT } from './settings.mjs';

const FOLDER = join(ROOT, '.github/workflows');

test.for(readdirSync(FOLDER))(
  '%s runs others’ actions by digest, without rights that a job does not name',
  (name) => {
    const workflow = readFileSync(join(FOLDER, name), 'utf8');
    const foreign = [...workflow.matchAll(/uses: (?!\.\/)(.+)/g)].map(([, action]) => action);
    const count = (pattern) => [...workflow.matchAll(pattern)].length;

    expect(foreign).not.toEqual([]);
    expect(
      foreign.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action)),
    ).toEqual([]);
    expect(workflow).toContain('\npermissions: {}\n');
    expect(count(/^ {4}permissions:$/gm)).toBe(count(/^ {4}(?:runs-on|uses): /gm));
    expect(count(/persist-credentials: false/g)).toBe(count(/actions\/checkout@/g));
  },
);

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
/** Lists other people's images that a file names by default: `name` or `name@digest`. */
const imagesOf = (path) =>
  [...read(path).matchAll(/\$\{(?!IMAGE_PREFIX)\w+_IMAGE:-([^}]+)}|^ARG \w+_IMAGE=(.+)$/gm)].map(
    ([, image, base]) => String(image ?? base),
  );

test.for(['Dockerfile', 'docker-compose.yml', 'deploy/monitoring/compose.yml'])(
  '%s names the images of others by digest',
  (path) => {
    expect(imagesOf(path)).not.toEqual([]);
    expect(
      imagesOf(path).filter((image) => !/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image)),
    ).toEqual([]);
  },
);

test('a trial takes images of the same tags', () => {
  const pinned = ['Dockerfile', 'docker-compose.yml']
    .flatMap(imagesOf)
    .map((image) => image.replace(/@.*/, ''));

  expect(imagesOf('docker-compose.override.yml').toSorted()).toEqual(pinned.toSorted());
});
