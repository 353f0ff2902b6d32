// npm run check: format, lint, types, dead code; all of them, whatever one says.
import { runChecks } from '../checks.mjs';
import { report } from '../failure.mjs';
import { install } from '../steps.mjs';
import { listenForStop } from '../stop-requests.mjs';

const signal = listenForStop();
let exitCode = 1;
try {
  await install({ signal });
  const results = await runChecks({ signal });
  exitCode = results.every((result) => result.isGood) ? 0 : 1;
} catch (error) {
  if (!signal.aborted) report(error);
}
process.exit(exitCode);
