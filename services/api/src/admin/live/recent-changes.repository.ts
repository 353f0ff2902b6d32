import type { Database } from '@site/platform/database/connect';
import type { Change } from '@site/platform/live-changes';

/** Lists the changes of the last `seconds`, at most `limit`. */
export async function readRecentChanges(db: Database, seconds: number, limit: number): Promise<Change[]> {
  return db('lead_changes')
    .whereRaw('at > clock_timestamp() - make_interval(secs => ?)', [seconds])
    .orderBy('id')
    .limit(limit)
    .select<Change[]>('leadId', 'what');
}
