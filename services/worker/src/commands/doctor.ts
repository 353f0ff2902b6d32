import { runDoctor } from '@site/platform/doctor/findings';
import { examineWorker } from '../doctor/examine.ts';

/* The worker's half of `npm run doctor`, since only the worker holds the newsletter's key. Changes nothing. */

await runDoctor(examineWorker, process.env);
