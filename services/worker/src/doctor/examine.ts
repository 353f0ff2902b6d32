import { examine, ok } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { createBeehiivClient } from '../newsletter/beehiiv/beehiiv.client.ts';
import { createRateLimiter } from '../newsletter/rate-limiter.ts';
import { workerSettings } from '../settings.ts';
import { examineBeehiiv } from './beehiiv.check.ts';

export function examineWorker(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  return examine('worker settings', workerSettings, env, (settings, db) => {
    const rateLimiter = createRateLimiter(db, settings.requestsPerMinute);
    const client = createBeehiivClient(settings.beehiiv);
    return {
      'worker settings': () => Promise.resolve([ok('worker settings', 'all usable')]),
      Beehiiv: () => examineBeehiiv({ client, rateLimiter }),
    };
  });
}
