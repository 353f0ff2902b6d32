import { readFileSync } from 'node:fs';

/** Reads the product's version from its root. The paths are the same in source, build and image. */
export function readVersion(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
