import { checkNodeVersion } from './node-version.mjs';

checkNodeVersion();

import('./tasks/demo.mjs').catch(function (error) {
  console.error(error);
  process.exit(1);
});
