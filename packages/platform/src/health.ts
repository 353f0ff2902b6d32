import { Router } from 'express';
import { withTimeout } from './with-timeout.ts';

/** One thing a process needs. `required` ones decide readiness; the others only say "degraded". */
export type HealthCheck = { name: string; required: boolean; check(): Promise<void> };

const CHECK_TIMEOUT_MS = 2_000;

async function isWell(check: HealthCheck): Promise<boolean> {
  try {
    await withTimeout(CHECK_TIMEOUT_MS, () => check.check());
    return true;
  } catch {
    return false;
  }
}

/**
 * `/livez`: the process turns. `/readyz`: 200 while everything required answers, with status "degraded"
 * when something else does not, since work is still taken; 503 otherwise.
 */
export function healthRoutes(checks: HealthCheck[]): Router {
  const router = Router();
  router.get('/livez', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const results = await Promise.all(checks.map(async (check) => ({ ...check, well: await isWell(check) })));
    const isReady = results.every((result) => result.well || !result.required);
    const status = isReady ? (results.every((result) => result.well) ? 'ok' : 'degraded') : 'unavailable';
    res.status(isReady ? 200 : 503).json({
      status,
      checks: Object.fromEntries(results.map(({ name, well }) => [name, well ? 'ok' : 'unreachable'])),
    });
  });
  return router;
}
