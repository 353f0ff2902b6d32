import { posix } from 'node:path';

const IS_TEST = /\.test\.tsx?$|\/src\/testing\//;

/**
 * Returns an import's failure, or undefined if the directions allow it. `file` is a path from the
 * repository's root, and `specifier` is the import.
 */
export function findFailure(file, specifier, { workspaces, layers }) {
  const workspace = Object.keys(workspaces).find((folder) => file.startsWith(`${folder}/src/`));
  if (workspace === undefined || IS_TEST.test(file)) return undefined;
  if (!specifier.startsWith('.'))
    return findPackageFailure(workspace, specifier, workspaces[workspace]);
  const target = posix.join(posix.dirname(file), specifier);
  return findLayerFailure(file.split('/'), target.split('/'), layers);
}

function findPackageFailure(workspace, specifier, { may, only }) {
  const [, name] = /^@site\/([^/]+)/.exec(specifier) ?? [];
  const isAllowed = name === undefined ? (only?.includes(specifier) ?? true) : may.includes(name);
  return isAllowed ? undefined : `${workspace} may not import ${specifier}`;
}

function findLayerFailure(from, to, layers) {
  const depth = from.findIndex((name, at) => name !== to[at]);
  if (depth === -1) return undefined;
  const folder = from.slice(0, depth).join('/');
  const [importing, imported] = [from, to].map((path) => toEntry(path, depth));
  if (layers[folder] === undefined) {
    return importing.isFile && imported.isFile ? undefined : `${folder} has folders, but no layers`;
  }
  const [above, below] = [importing, imported].map((entry) => findLayer(layers[folder], entry));
  for (const [layer, { name }] of [
    [above, importing],
    [below, imported],
  ]) {
    if (layer === -1) return `${name} is in no layer of ${folder}`;
  }
  if (above < below || (above === below && importing.isFile && imported.isFile)) return undefined;
  return `${importing.name} may not import ${imported.name}, which is ${above === below ? 'beside' : 'above'} it`;
}

function toEntry(path, depth) {
  const isFile = depth === path.length - 1;
  return { isFile, name: isFile ? path[depth].replace(/(\.module)?\.\w+$/, '') : path[depth] };
}

function findLayer(folderLayers, { name, isFile }) {
  const named = folderLayers.findIndex((layer) => layer.includes(name));
  return named === -1
    ? folderLayers.findIndex((layer) => layer.includes(isFile ? '*' : '*/'))
    : named;
}
