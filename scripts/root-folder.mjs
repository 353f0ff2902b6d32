import { Failure } from './failure.mjs';

/** Throws a Failure for a path with a character that Vite takes for part of a URL or a pattern. */
export function refuseRoot(path) {
  const [character] = /[#?*]/.exec(path) ?? [];
  if (character === undefined) return;
  throw new Failure(
    `The site cannot be built in ${path}: move it to a folder without "${character}" in its path.`,
  );
}
