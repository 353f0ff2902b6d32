// Must run on any Node with modules, so it may use no syntax newer than 2019.
import { readFileSync } from 'fs';

/** The newest major version on which CI runs the tests. */
export var NEWEST_TESTED = 26;

function isAtLeast(has, wants) {
  for (var i = 0; i < wants.length; i += 1) {
    if ((has[i] || 0) !== wants[i]) return (has[i] || 0) > wants[i];
  }
  return true;
}

/**
 * Splits a range such as `^20.19 || >=22.12` into its parts. A caret stays within its major
 * version.
 */
function toParts(range) {
  return range.split('||').map(function (part) {
    var version = /\d+(\.\d+)*/.exec(part)[0];
    return {
      version: version,
      numbers: version.split('.').map(Number),
      isOneMajor: part.indexOf('^') >= 0,
    };
  });
}

/** Returns why this version of Node cannot run the product, as a sentence, or null. */
export function findVersionFailure(version, range) {
  var has = version.split('.').map(Number);
  var parts = toParts(range);
  var isAllowed = parts.some(function (part) {
    return isAtLeast(has, part.numbers) && (!part.isOneMajor || has[0] === part.numbers[0]);
  });
  if (isAllowed) return null;
  var names = parts.map(function (part) {
    return part.version + ' or a later ' + (part.isOneMajor ? part.numbers[0] : 'one');
  });
  return (
    'This needs Node ' +
    names.join(', or ') +
    ', and this is Node ' +
    version +
    ': install Node 24 from https://nodejs.org.'
  );
}

/** Returns a sentence of warning if this Node is newer than those that CI tests, or null. */
export function findVersionWarning(version) {
  if (Number(version.split('.')[0]) <= NEWEST_TESTED) return null;
  return (
    'Node ' +
    version +
    ' has not been tested: if something fails, use Node 24 from https://nodejs.org.'
  );
}

/** Exits with a message if package.json excludes this Node. Warns if CI does not test it yet. */
export function checkNodeVersion() {
  var manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  var failure = findVersionFailure(process.versions.node, manifest.engines.node);
  if (failure !== null) {
    console.error(failure);
    process.exit(1);
  }
  var warning = findVersionWarning(process.versions.node);
  if (warning !== null) console.error(warning);
}
