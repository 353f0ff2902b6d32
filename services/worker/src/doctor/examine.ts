import { examine, ok, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { createBeehiivClient } from '../newsletter/beehiiv/beehiiv.client.ts';
import { createRateLimiter } from '../newsletter/rate-limiter.ts';
import { workerSettings } from '../settings.ts';
import type { WorkerSettings } from '../settings.ts';
import { examineBeehiiv } from './beehiiv.check.ts';

/** Beehiiv's limit for an account, over all its keys. */
const BEEHIIV_PER_MINUTE = 180;

export function examineWorker(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  return examine('worker settings', workerSettings, env, (settings, db) => {
    const rateLimiter = createRateLimiter(db, settings.requestsPerMinute);
    const client = createBeehiivClient(settings.beehiiv);
    return {
      'worker settings': () =>
        Promise.resolve([ok('worker settings', 'all usable'), ...examineRate(settings)]),
      Beehiiv: () => examineBeehiiv({ client, rateLimiter }),
    };
  });
}

function examineRate({ requestsPerMinute }: WorkerSettings): Finding[] {
  if (requestsPerMinute > 0 && requestsPerMinute < BEEHIIV_PER_MINUTE) return [];
  const message =
    requestsPerMinute === 0
      ? 'BEEHIIV_REQUESTS_PER_MINUTE is 0: requests are not limited'
      : `BEEHIIV_REQUESTS_PER_MINUTE is ${requestsPerMinute}, but Beehiiv allows the whole account ${BEEHIIV_PER_MINUTE} a minute`;
  return [
    warning('Beehiiv rate', message, 'Set it to 150, or less if other programs use the account.'),
  ];
}
