import { runDoctor } from '@site/platform/doctor/findings';
import { examineApi } from '../doctor/examine.ts';

/* The API's half of `npm run doctor`: reports what is wrong outside the code, and how to fix it. Changes nothing. */

await runDoctor(examineApi, process.env);
