// Must run on any Node with modules, so it may use no syntax newer than 2019.
import { readFileSync } from 'fs';

var manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
var needed = /\d+(\.\d+)*/.exec(manifest.engines.node)[0];

function isAtLeast(version, least) {
  var has = version.split('.').map(Number);
  var wants = least.split('.').map(Number);
  for (var i = 0; i < wants.length; i += 1) {
    if ((has[i] || 0) !== wants[i]) return (has[i] || 0) > wants[i];
  }
  return true;
}

/** Exits with a message if this Node is older than package.json requires. */
export function checkNodeVersion() {
  if (isAtLeast(process.versions.node, needed)) return;
  console.error(
    'This needs Node ' +
      needed +
      ' or newer, and this is Node ' +
      process.versions.node +
      ': install a newer one from https://nodejs.org.',
  );
  process.exit(1);
}
