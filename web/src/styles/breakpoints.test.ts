import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');

test('breakpoints are in em, so that larger text takes the form of a narrower window', () => {
  const inPixels = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      /\.(css|tsx?)$/.test(path) &&
      /\((min|max)-(width|height): [\d.]+px\)/.test(readFileSync(join(SOURCES, path), 'utf8')),
  );

  expect(inPixels).toEqual([]);
});
