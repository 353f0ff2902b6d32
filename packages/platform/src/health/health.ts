import type { ConditionKind } from '@site/schema/sync-state';
import { Router } from 'express';
import type { SyncReading } from './sync-facts.ts';

/**
 * Serves `/livez`, which says that the process runs, and `/readyz`: 503 if a condition is one of
 * `stopping`, with which the process cannot do its work. With any other condition it is 200, with status "degraded":
 * otherwise no update would be possible during an outage.
 */
export function healthRoutes(
  read: () => Promise<Pick<SyncReading, 'conditions'>>,
  stopping: readonly ConditionKind[],
): Router {
  const router = Router({ caseSensitive: true });
  router.get('/livez', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const conditions = (await read()).conditions.map(({ kind }) => kind);
    const isReady = !conditions.some((kind) => stopping.includes(kind));
    const status = isReady ? (conditions.length === 0 ? 'ok' : 'degraded') : 'unavailable';
    res.status(isReady ? 200 : 503).json({ status, conditions });
  });
  return router;
}

/** Without these, no lead can be taken and none can be sent. */
export const CANNOT_WORK: readonly ConditionKind[] = ['not-set-up', 'cannot-write'];
