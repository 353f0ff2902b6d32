import type { Database } from '@site/platform/database/connect';
import type { Change } from '@site/platform/live-changes';

/** What changed in the last `seconds`, at most `limit` of it. */
export async function readRecentChanges(db: Database, seconds: number, limit: number): Promise<Change[]> {
  return db('lead_changes')
    .whereRaw('at > clock_timestamp() - make_interval(secs => ?)', [seconds])
    .orderBy('id')
    .limit(limit)
    .select<Change[]>('leadId', 'what');
}
