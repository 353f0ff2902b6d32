import { systemClock } from '@site/platform/clock';
import { formatFindings, toExitCode } from '@site/platform/doctor/findings';
import { errorMessage } from '@site/platform/logged-error';
import { parseArgs } from 'node:util';
import { examineApi } from '../doctor/examine.ts';

/*
 * The API's half of `npm run doctor`: reports what is wrong outside the code, and how to fix it. Changes nothing.
 * --json prints one finding a line. Exits with 1 if something must be fixed.
 */

try {
  const { values: flags } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
  const findings = await examineApi(process.env, systemClock);
  console.log(formatFindings(findings, flags.json));
  process.exitCode = toExitCode(findings);
} catch (error) {
  console.error(errorMessage(error));
  process.exitCode = 1;
}
