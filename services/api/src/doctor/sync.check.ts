import type { Database } from '@site/platform/database/connect';
import { error, ok, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { CANNOT_WORK } from '@site/platform/health/health';
import { createHealthReader } from '@site/platform/health/sync-facts';
import { REMEDIES } from '@site/schema/sync-state';
import type { ApiSettings } from '../settings.ts';

/** Says what is wrong with the sync now, and whether the database is migrated. */
export async function examineSync(
  db: Database,
  { maxPendingMs, isProduction }: Pick<ApiSettings, 'maxPendingMs' | 'isProduction'>,
): Promise<Finding[]> {
  const { conditions } = await createHealthReader({ db, maxPendingMs, isProduction }).read();
  const findings = conditions.map(({ kind, text }) => {
    const level = CANNOT_WORK.includes(kind) ? error : warning;
    return level(kind === 'not-set-up' ? 'migrations' : 'sync', text, REMEDIES[kind]);
  });
  const isAbout = (check: string) => findings.some((finding) => finding.check === check);
  if (isAbout('migrations')) return findings;
  return [ok('migrations', 'all applied'), ...(isAbout('sync') ? findings : [ok('sync', 'running')])];
}
