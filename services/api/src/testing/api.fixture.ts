import { test as base } from '@site/sandbox/testing/sandbox.fixture';
import { createDatabase } from '@site/platform/database/connect';
import { createTestDatabase, dropTestDatabase } from '@site/testing/database';
import { createFixedClock } from './fixed-clock.ts';
import { createLogger } from '@site/platform/process/logger';
import { createSyncQueue } from '@site/platform/outbox/sync-queue';
import { createHealthReader } from '@site/platform/health/sync-facts';
import { readSettings } from '@site/platform/settings/read-settings';
import { connectFailFast } from '@site/platform/redis/connect';
import { hash } from '@node-rs/argon2';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';
import { v7 as newId } from 'uuid';
import { storeOperator } from '../admin/operators/operators.ts';
import { createApp } from '../app.ts';
import type { AppDeps } from '../app-deps.ts';
import { createHttpServer } from '../http/server.ts';
import { operatorSessions } from '../admin/operators/session.ts';
import { createIntakeBatches } from '../leads/intake-batches.ts';
import { watchIntake } from '../metrics/watch-intake.ts';
import { locateNowhere } from '../leads/client-facts.ts';
import { apiSettings } from '../settings.ts';
import { createSitePages } from '../site/site-pages.ts';
import { createStripe } from '../stripe/stripe.client.ts';
import { plainSite } from './site.fixture.ts';
import { checkResponse } from './conformance.ts';

export const OPERATOR = { username: 'j.holt', password: 'correct horse battery' };

export type Answer = { status: number; headers: Headers; text: string; json: any };

export type Api = {
  url: string;
  deps: AppDeps;
  clock: ReturnType<typeof createFixedClock>;
  call(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
  /** Logs in and returns the headers that go with every later call. */
  logIn(): Promise<Record<string, string>>;
};

type Infra = { databaseUrl: string; redisUrl: string; redisPrefix: string; stripeUrl?: string };

/** Cheap to check, because hundreds of tests log in. A hash includes its own cost. */
const hashed = hash(OPERATOR.password, { memoryCost: 8, timeCost: 1, parallelism: 1 });

/**
 * Starts the API as `main.ts` does, on a free port. `env` adds settings, and `parts` replaces
 * dependencies. Every answer must conform to the API's document.
 */
export async function startApi(
  infra: Infra,
  env: Record<string, string> = {},
  parts: Partial<AppDeps> = {},
): Promise<Api & { close(): Promise<void> }> {
  const settings = readSettings(apiSettings, {
    DATABASE_URL: infra.databaseUrl,
    REDIS_URL: infra.redisUrl,
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    STRIPE_API_URL: infra.stripeUrl ?? 'http://127.0.0.1:1',
    SAMPLE_SITE_URL: 'http://sample.example/get',
    ...env,
  });
  const log = createLogger({ service: 'api', level: settings.logLevel });
  const db = parts.db ?? createDatabase({ url: infra.databaseUrl });
  const pool = new Pool({ connectionString: infra.databaseUrl, max: 3 });
  pool.on('error', () => undefined);
  const sessions = operatorSessions(pool, settings);
  const redis = connectFailFast(infra.redisUrl, log);
  // Without this, the first calls would find Redis unreachable.
  await once(redis, 'ready').catch(() => undefined);
  const syncQueue = createSyncQueue({ redis, log, prefix: infra.redisPrefix });
  const clock = createFixedClock(new Date());
  const { store, tryWrite } = watchIntake(db, createIntakeBatches(db));
  const health = createHealthReader({
    db,
    syncQueue,
    maxPendingMs: settings.maxPendingMs,
    tryWrite,
    keptMs: 0,
  });
  const deps: AppDeps = {
    db,
    exportPool: pool,
    redis,
    syncQueue,
    clock,
    log,
    settings,
    newId,
    limitPrefix: infra.redisPrefix,
    sessions: sessions.middleware,
    stripe: createStripe(settings.stripe),
    locate: locateNowhere,
    pages: createSitePages(plainSite(), { clock, settings }),
    health,
    store,
    ...parts,
  };
  const server = createHttpServer(createApp(deps));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const call: Api['call'] = async (method, path, { body, headers } = {}) => {
    const isText = typeof body === 'string';
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    await checkResponse(url, method, path, response, text);
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text !== '' ? JSON.parse(text) : undefined,
    };
  };
  return {
    url,
    deps,
    clock,
    call,
    async logIn() {
      await storeOperator(db, OPERATOR.username, await hashed);
      const answer = await call('POST', '/api/admin/login', { body: OPERATOR });
      const cookie = answer.headers.get('set-cookie')?.split(';')[0];
      if (answer.status !== 200 || !cookie)
        throw new Error(`Could not log in: ${answer.status} ${answer.text}`);
      return { Cookie: cookie };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await syncQueue.close();
      await sessions.close();
      await pool.end();
      if (!parts.db) await db.destroy();
    },
  };
}

/**
 * `test` with the API over HTTP, with its own database and Redis prefix. `newApi` starts others,
 * with more settings or other infrastructure, and closes them after the test.
 */
export const test = base
  .extend('newApi', ({ databaseUrl, redisUrl, redisPrefix }, { onCleanup }) => {
    const apis: Awaited<ReturnType<typeof startApi>>[] = [];
    onCleanup(async () => {
      for (const api of apis) await api.close();
    });
    return async (env: Record<string, string> = {}, infra: Partial<Infra> = {}): Promise<Api> => {
      const api = await startApi({ databaseUrl, redisUrl, redisPrefix, ...infra }, env);
      apis.push(api);
      return api;
    };
  })
  .extend('api', ({ newApi }) => newApi())
  /** One API for the tests of a file that leave nothing behind. */
  .extend('sharedApi', { scope: 'file' }, async ({ infra, admin }, { onCleanup }): Promise<Api> => {
    const name = `t_${newId().replaceAll('-', '')}`;
    const { adminUrl, templateDatabase, redisUrl } = infra;
    const databaseUrl = await createTestDatabase(adminUrl, name, templateDatabase, admin);
    const api = await startApi(
      { databaseUrl, redisUrl, redisPrefix: `{${name}}` },
      { RATE_LIMIT_LEADS_PER_MINUTE: '0' },
    );
    onCleanup(async () => {
      await api.close();
      await dropTestDatabase(adminUrl, name, admin);
    });
    return api;
  })
  /** The calls of somebody who is logged in to the console. Paths are below `/api/admin/`. */
  .extend('operator', async ({ api }) => {
    const headers = await api.logIn();
    return {
      headers,
      get: (path: string) => api.call('GET', `/api/admin/${path}`, { headers }),
      post: (path: string, body?: unknown) =>
        api.call('POST', `/api/admin/${path}`, { headers, body }),
      remove: (path: string) => api.call('DELETE', `/api/admin/${path}`, { headers }),
    };
  });
