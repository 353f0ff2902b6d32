import { runDoctor } from '@site/platform/doctor/findings';
import { examineApi } from '../doctor/examine.ts';

/*
 * The API's half of `npm run doctor`: reports failures outside the code, and their remedies.
 * Changes nothing.
 */

await runDoctor(examineApi, process.env);
