import type { Clock } from '@site/platform/clock';
import { createDatabase } from '@site/platform/database/connect';
import { ok, runChecks, settingFindings, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { readSettings, SettingsError } from '@site/platform/read-settings';
import { createBeehiivClient } from '../newsletter/beehiiv/beehiiv.client.ts';
import { createRateLimiter } from '../newsletter/rate-limiter.ts';
import { workerSettings } from '../settings.ts';
import type { WorkerSettings } from '../settings.ts';
import { examineBeehiiv } from './beehiiv.check.ts';

/** What Beehiiv allows an account, over all of its keys. */
const BEEHIIV_PER_MINUTE = 180;

/** Everything of the worker's side that can be wrong outside its code: settings, and Beehiiv behind them. Changes nothing. */
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
      ? 'BEEHIIV_REQUESTS_PER_MINUTE is 0: nothing slows requests down'
      : `BEEHIIV_REQUESTS_PER_MINUTE is ${requestsPerMinute}, and Beehiiv takes ${BEEHIIV_PER_MINUTE} a minute of the whole account`;
  return [warning('Beehiiv rate', message, 'Set it to 150, less where other programs use the account.')];
}
