import { systemClock } from '@site/platform/clock';
import { DOCTOR_USAGE, formatFindings, toExitCode } from '@site/platform/doctor/findings';
import { errorMessage } from '@site/platform/logged-error';
import { readFlags } from '@site/platform/read-flags';
import { examineWorker } from '../doctor/examine.ts';

/* The worker's half of `npm run doctor`, since only the worker holds the newsletter's key. Changes nothing. */

const flags = readFlags(DOCTOR_USAGE, { json: { type: 'boolean' } });
try {
  const findings = await examineWorker(process.env, systemClock);
  console.log(formatFindings(findings, flags.json ?? false));
  process.exitCode = toExitCode(findings);
} catch (error) {
  console.error(errorMessage(error));
  process.exitCode = 1;
}
