import { Failure } from './failure.mjs';

/** Throws a Failure if the path of this folder has a character that Vite takes for a part of a URL or a pattern. */
export function refuseRoot(path) {
  const [character] = /[#?*]/.exec(path) ?? [];
  if (character === undefined) return;
  throw new Failure(
    `The path ${path} contains "${character}", with which the site cannot be built: move this folder to a path without #, ? and *.`,
  );
}
