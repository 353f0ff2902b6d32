// npm run check: format, lint, types and dead code. Needs no build.
import { runChecks } from '../checks.mjs';
import { refuseArguments } from '../failure.mjs';
import { install } from '../steps.mjs';

export async function check({ args, signal }) {
  refuseArguments('npm run check', args);
  await install({ signal });
  const results = await runChecks({ signal });
  return results.every((result) => result.isGood) ? 0 : 1;
}
