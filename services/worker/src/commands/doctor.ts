import { runDoctor } from '@site/platform/doctor/findings';
import { examineWorker } from '../doctor/examine.ts';

/* The worker's half of `npm run doctor`. Only the worker has the Beehiiv key. Changes nothing. */

await runDoctor(examineWorker, process.env);
