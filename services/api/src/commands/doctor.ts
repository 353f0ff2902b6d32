import { systemClock } from '@site/platform/clock';
import { DOCTOR_USAGE, formatFindings, toExitCode } from '@site/platform/doctor/findings';
import { errorMessage } from '@site/platform/logged-error';
import { readFlags } from '@site/platform/read-flags';
import { examineApi } from '../doctor/examine.ts';

/* The API's half of `npm run doctor`: reports what is wrong outside the code, and how to fix it. Changes nothing. */

const flags = readFlags(DOCTOR_USAGE, { json: { type: 'boolean' } });
try {
  const findings = await examineApi(process.env, systemClock);
  console.log(formatFindings(findings, flags.json ?? false));
  process.exitCode = toExitCode(findings);
} catch (error) {
  console.error(errorMessage(error));
  process.exitCode = 1;
}
