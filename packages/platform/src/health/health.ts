import type { ConditionKind } from '@site/schema/sync-state';
import { Router } from 'express';
import type { SyncReading } from './sync-facts.ts';

/**
 * Serves `/livez` while the process runs, and `/readyz`. With a condition in `stopping`, the
 * process cannot do its work and `/readyz` is 503. With any other it is 200 with status "degraded":
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
    const conditions = [...new Set((await read()).conditions.map(({ kind }) => kind))];
    const isReady = !conditions.some((kind) => stopping.includes(kind));
    const status = isReady ? (conditions.length === 0 ? 'ok' : 'degraded') : 'unavailable';
    res.status(isReady ? 200 : 503).json({ status, conditions });
  });
  return router;
}

/** With these no lead can be taken or sent. */
export const CANNOT_WORK: readonly ConditionKind[] = ['not-set-up', 'cannot-write'];
