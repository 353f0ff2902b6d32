import { readFileSync } from 'node:fs';

/** Reads the product's version from the manifest at its root. */
export function readVersion(manifest: URL): string {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
