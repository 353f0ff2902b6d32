import type { Clock } from '@site/platform/process/clock';
import { createDatabase } from '@site/platform/database/connect';
import { ok, runChecks, settingFindings, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { readSettings, SettingsError } from '@site/platform/settings/read-settings';
import { createBeehiivClient } from '../newsletter/beehiiv/beehiiv.client.ts';
import { createRateLimiter } from '../newsletter/rate-limiter.ts';
import { workerSettings } from '../settings.ts';
import type { WorkerSettings } from '../settings.ts';
import { examineBeehiiv } from './beehiiv.check.ts';

/** Beehiiv's limit for an account, over all its keys. */
const BEEHIIV_PER_MINUTE = 180;

/** Checks the worker's settings and Beehiiv. Changes nothing. */
export async function examineWorker(env: Record<string, string | undefined>, clock: Clock): Promise<Finding[]> {
  let settings: WorkerSettings;
  try {
    settings = readSettings(workerSettings, env);
  } catch (fault) {
    if (fault instanceof SettingsError) return settingFindings('worker settings', fault.message);
    throw fault;
  }
  const db = createDatabase({ url: settings.databaseUrl, maxConnections: 2, applicationName: 'doctor' });
  const rateLimiter = createRateLimiter(db, settings.requestsPerMinute);
  const client = createBeehiivClient(settings.beehiiv);
  try {
    return await runChecks({
      'worker settings': () => Promise.resolve([ok('worker settings', 'all usable'), ...examineRate(settings)]),
      Beehiiv: () => examineBeehiiv({ client, rateLimiter, clock }),
    });
  } finally {
    await db.destroy();
  }
}

function examineRate({ requestsPerMinute }: WorkerSettings): Finding[] {
  if (requestsPerMinute > 0 && requestsPerMinute < BEEHIIV_PER_MINUTE) return [];
  const message =
    requestsPerMinute === 0
      ? 'BEEHIIV_REQUESTS_PER_MINUTE is 0: requests are not limited'
      : `BEEHIIV_REQUESTS_PER_MINUTE is ${requestsPerMinute}, but Beehiiv allows the whole account ${BEEHIIV_PER_MINUTE} a minute`;
  return [warning('Beehiiv rate', message, 'Set it to 150, or less if other programs use the account.')];
}
