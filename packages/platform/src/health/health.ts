import type { ConditionKind } from '@site/schema/conditions';
import { Router } from 'express';
import type { SyncReading } from './sync-facts.ts';

/**
 * Serves `/livez` while the process runs, and `/readyz`. With a condition in `stopping`, the
 * process cannot work and `/readyz` is 503. Other conditions give 200 with status "degraded", so
 * that updates stay possible during an outage.
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

/** Conditions in which no lead can be stored or sent. */
export const CANNOT_WORK: readonly ConditionKind[] = ['not-set-up', 'cannot-write'];
