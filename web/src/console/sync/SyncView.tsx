import { useApiData } from '../api/use-api-data.ts';
import { Loading, LoadState } from '../shared/LoadState.tsx';
import { useLiveEvents } from '../api/live.tsx';
import { BulkRetries } from '../retry/BulkRetries.tsx';
import { useNow } from '../shared/use-now.ts';
import { useThrottledTask } from '../api/use-throttled-task.ts';
import { Delivery } from './Delivery.tsx';
import { ErrorTable } from './ErrorTable.tsx';
import { Outages } from './Outages.tsx';
import { Parts } from './Parts.tsx';
import { Remedy } from './Remedy.tsx';
import styles from './SyncView.module.css';
import { useEnded } from './use-ended.ts';

/** As often as the strip asks, so that both are of one moment. */
const AGAIN_MS = 7_000;
const EVENTS_MS = 1_000;

/** How leads reach Beehiiv, what fails, and what to do about it. */
export function SyncView() {
  const now = useNow(true);
  // As far as the strip at the top of the console knows.
  const { data: health, reload: reloadHealth } = useApiData(
    'GET /api/admin/sync',
    {},
    { revalidateIfStale: false },
  );
  const ended = useEnded(health?.conditions ?? [], now);
  const { data, fault, reload } = useApiData(
    'GET /api/admin/sync/delivery',
    {},
    { refreshInterval: AGAIN_MS },
  );
  const reloadSoon = useThrottledTask(EVENTS_MS, () => void reload());
  useLiveEvents(({ leads, hasNew, hasSyncChanged, isReload }) => {
    if (leads.length > 0 || hasNew || hasSyncChanged || isReload) reloadSoon();
  });
  return (
    <div className={styles.view}>
      {health && <Remedy health={health} ended={ended} now={now} reload={reloadHealth} />}
      {fault !== undefined && <LoadState of="Sync" data={data} fault={fault} reload={reload} />}
      {!(data && health) && fault === undefined && <Loading of="Sync" />}
      {data && health && (
        <>
          <Delivery delivery={data} health={health} now={now} />
          <Parts delivery={data} health={health} now={now} />
          <Outages outages={data.outages} health={health} now={now} />
          <ErrorTable
            errors={data.errors}
            days={data.days}
            isPaused={health.pause !== null}
            now={now}
          />
        </>
      )}
      {((data && health) || fault !== undefined) && <BulkRetries />}
    </div>
  );
}
