import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Env = Record<string, string | undefined>;

/** The folders, settings and ports of a run. */
export type Environment = {
  rootDir: string;
  dataDir: string;
  env: Env;
  host: string;
  ports: { api: number; worker: number; sandbox: number };
  /** Services run from source and restart on changes. Vite serves the web app at the site's URL. */
  isDev: boolean;
};

/** Reads the supervisor's settings. The services check their own. */
export function readEnvironment(
  rootDir: string,
  dataDir: string,
  env: Env,
  isDev = false,
): Environment {
  return {
    rootDir,
    dataDir,
    env,
    isDev,
    host: toReachableHost(env['HOST'] ?? ''),
    ports: {
      api: Number(env['PORT'] || 8080),
      worker: Number(env['WORKER_PORT'] || 8081),
      sandbox: Number(env['SANDBOX_PORT'] || 8090),
    },
  };
}

/**
 * Builds the settings of every process: the given ones, the connections, and, if none is set, a
 * session secret, the sandbox's customer portal, and a secret for the sandbox's events.
 */
export function toServiceEnv(
  from: Environment,
  infra: { databaseUrl: string; redisUrl?: string },
): Env {
  const isProduction = from.env['NODE_ENV'] === 'production';
  const isSandbox = !isProduction && !from.env['STRIPE_API_URL'];
  const portal =
    from.env['STRIPE_PORTAL_LOGIN_URL'] || `http://127.0.0.1:${from.ports.sandbox}/p/login`;
  const secretOf = (name: string, file: string) => {
    const value =
      from.env[name] || (isProduction ? undefined : readOrMakeSecret(from.dataDir, file));
    return value === undefined ? {} : { [name]: value };
  };
  return {
    ...from.env,
    DATA_DIR: from.dataDir,
    // Node 22 and later keep compiled code here, so that the next start is faster.
    NODE_COMPILE_CACHE: join(from.rootDir, '.cache/compiled'),
    DATABASE_URL: infra.databaseUrl,
    ...(infra.redisUrl !== undefined && { REDIS_URL: infra.redisUrl }),
    ...secretOf('SESSION_SECRET', 'session-secret'),
    // The sandbox is Beehiiv, and sends events.
    ...(!from.env['BEEHIIV_API_URL'] && secretOf('BEEHIIV_WEBHOOK_SECRET', 'webhook-secret')),
    ...(isSandbox && { STRIPE_PORTAL_LOGIN_URL: portal }),
  };
}

function toReachableHost(host: string): string {
  if (['', '0.0.0.0', '::', '[::]', 'localhost'].includes(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function readOrMakeSecret(dataDir: string, file: string): string {
  const path = join(dataDir, file);
  if (!existsSync(path))
    writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600 });
  return readFileSync(path, 'utf8').trim();
}
