import { checkNodeVersion } from './node-version.mjs';

checkNodeVersion();

// Only now, because an older Node cannot even read the rest.
import('./tasks/bench.mjs').catch(function (error) {
  console.error(error);
  process.exit(1);
});
