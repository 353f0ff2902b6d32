// Every npm command begins here: "node scripts/run.mjs start". An older Node must be able to read
// this file and node-version.mjs, so that it prints which version is needed. Keep both free of
// syntax newer than 2019.
import { checkNodeVersion } from './node-version.mjs';

checkNodeVersion();

import('./run-task.mjs')
  .then(function (module) {
    return module.runTask(process.argv.slice(2));
  })
  .catch(function (error) {
    console.error(error);
    process.exit(1);
  });
