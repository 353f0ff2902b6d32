// npm run build: builds everything that npm start runs.
import { refuseArguments } from '../failure.mjs';
import { takeSteps } from '../steps.mjs';

export async function build({ args, signal }) {
  refuseArguments('npm run build', args);
  await takeSteps({ signal });
  return 0;
}
