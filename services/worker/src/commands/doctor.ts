import { systemClock } from '@site/platform/clock';
import { formatFindings, toExitCode } from '@site/platform/doctor/findings';
import { errorMessage } from '@site/platform/logged-error';
import { parseArgs } from 'node:util';
import { examineWorker } from '../doctor/examine.ts';

/*
 * The worker's half of `npm run doctor`, since only the worker holds the newsletter's key. Changes nothing.
 * --json prints one finding per line. Exit code 1 if there is an error.
 */

try {
  const { values: flags } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
  const findings = await examineWorker(process.env, systemClock);
  console.log(formatFindings(findings, flags.json));
  process.exitCode = toExitCode(findings);
} catch (error) {
  console.error(errorMessage(error));
  process.exitCode = 1;
}
