import { Router } from 'express';
import { withTimeout } from './with-timeout.ts';

/** Something a process needs. If a required one fails, the process is not ready; if another fails, it is degraded. */
export type HealthCheck = { name: string; required: boolean; check(): Promise<void> };

const CHECK_TIMEOUT_MS = 2_000;

async function passes(check: HealthCheck): Promise<boolean> {
  try {
    await withTimeout(CHECK_TIMEOUT_MS, () => check.check());
    return true;
  } catch {
    return false;
  }
}

/**
 * Serves `/livez`, which says that the process runs and in which version, and `/readyz`: 503 if a required check fails, otherwise 200, with
 * status "degraded" if another one fails, since the process still does its work.
 */
export function healthRoutes(checks: HealthCheck[], version: string): Router {
  const router = Router({ caseSensitive: true });
  router.get('/livez', (_req, res) => {
    res.json({ status: 'ok', version });
  });
  router.get('/readyz', async (_req, res) => {
    const results = await Promise.all(checks.map(async (check) => ({ ...check, isOk: await passes(check) })));
    const isReady = results.every((result) => result.isOk || !result.required);
    const status = isReady ? (results.every((result) => result.isOk) ? 'ok' : 'degraded') : 'unavailable';
    res.status(isReady ? 200 : 503).json({
      status,
      checks: Object.fromEntries(results.map(({ name, isOk }) => [name, isOk ? 'ok' : 'unreachable'])),
    });
  });
  return router;
}
