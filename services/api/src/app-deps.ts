import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/process/logger';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import type { RequestHandler } from 'express';
import type { HealthReader } from '@site/platform/health/sync-facts';
import type { RedisConnection } from '@site/platform/redis/connect';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import type Stripe from 'stripe';
import type { Locate } from './leads/client-facts.ts';
import type { StoreSubmission } from './leads/submission.repository.ts';
import type { ApiSettings } from './settings.ts';
import type { SitePages } from './site/site-pages.ts';

/** Everything that `main.ts` opens for the app. Each feature names the parts it needs. */
export type AppDeps = {
  db: Database;
  /** A separate small pool, so that slow CSV downloads do not delay new leads. */
  exportPool: Pool;
  redis: RedisConnection;
  /** Prefix of the rate limits' keys in Redis. */
  limitPrefix?: string;
  sessions: RequestHandler;
  syncQueue: SyncQueue;
  stripe: Stripe;
  clock: Clock;
  newId: () => string;
  locate: Locate;
  pages: SitePages;
  health: HealthReader;
  /** Commits submissions together, and remembers whether the last submission was refused. */
  store: StoreSubmission;
  /** The metrics registry. In `main.ts` it also has the process's metrics. */
  registry?: Registry;
  /** Aborted when the process stops, which ends open event streams. */
  stopping?: AbortSignal;
  log: Logger;
  settings: ApiSettings;
};
