import type { Database } from '@site/platform/database/connect';
import { createLogger } from '@site/platform/process/logger';
import { randomUUID } from 'node:crypto';
import type { SyncDeps } from '../sync/sync.processor.ts';
import { createScriptedNewsletter } from './scripted-newsletter.ts';

export const DELIVERY: SyncDeps['delivery'] = {
  sendWelcomeEmail: false,
  doubleOptIn: 'not_set',
  automations: { pre_buy: [], pre_sample: [] },
};

/** Builds the deps of a run, with a newsletter in memory and a rate limiter without a limit. */
export const buildSyncDeps = <Changes extends Partial<SyncDeps>>(
  db: Database,
  changes: Changes,
): SyncDeps & Changes => ({
  db,
  rateLimiter: { waitForSlot: () => Promise.resolve(true) },
  newsletter: createScriptedNewsletter().port,
  fieldCatalog: { keepKnown: (fields) => fields },
  delivery: DELIVERY,
  backoffBaseMs: 30_000,
  random: () => 0.5,
  newId: randomUUID,
  worker: 'test-worker',
  log: createLogger({ service: 'worker', level: 'silent' }),
  ...changes,
});
