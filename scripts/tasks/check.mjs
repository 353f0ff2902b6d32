// npm run check: format, lint, types and dead code. Needs no build. npm run lint and typecheck run
// one of them.
import { runChecks } from '../checks.mjs';
import { refuseArguments } from '../failure.mjs';
import { install } from '../steps.mjs';

export async function check({ args, signal }) {
  refuseArguments('npm run check', args);
  await install({ signal });
  const results = await runChecks({ signal });
  return results.every((result) => result.isGood) ? 0 : 1;
}

export const lint = (run) => runOne('lint', run);
export const typecheck = (run) => runOne('types', run);

async function runOne(check, { name, args, signal }) {
  refuseArguments(`npm run ${name}`, args);
  await install({ signal });
  const [{ isGood }] = await runChecks({ signal, only: check });
  return isGood ? 0 : 1;
}
