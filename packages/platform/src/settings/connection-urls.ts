import { readFileSync } from 'node:fs';
import { z } from 'zod';

/*
 * The URLs of Postgres and Redis. They choose TLS, with the parameters that other clients use too:
 * postgres://…?sslmode=verify-full&sslrootcert=/path/ca.pem and
 * rediss://…?ssl_ca_certs=/path/ca.pem.
 */

const CHECKED_MODES = ['verify-full', 'disable'];

/** Returns a URL's parameter, or undefined. A repeated parameter's last value counts, as in pg. */
export function readParameter(url: string, name: string): string | undefined {
  return new URLSearchParams(url.split('?')[1] ?? '').getAll(name).at(-1);
}

function refuseUnreadable(url: string, name: string, ctx: z.RefinementCtx): void {
  const path = readParameter(url, name);
  if (path === undefined) return;
  try {
    readFileSync(path);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    ctx.addIssue({ code: 'custom', message: `its ${name}, ${path}, cannot be read (${code})` });
  }
}

/** Accepts a Postgres URL. Refuses TLS modes that do not verify the server. */
export const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'it must begin with postgres://')
  .superRefine((url, ctx) => {
    const mode = readParameter(url, 'sslmode');
    if (mode !== undefined && !CHECKED_MODES.includes(mode)) {
      ctx.addIssue({
        code: 'custom',
        message: `sslmode=${mode} does not check which server answers: use sslmode=verify-full`,
      });
    }
    refuseUnreadable(url, 'sslrootcert', ctx);
  });

export type RedisNodes = {
  nodes: { host: string; port: number }[];
  username?: string;
  password?: string;
  isTls: boolean;
};

/**
 * Returns the nodes that a Redis Cluster's URL names, or null for a single Redis. A cluster has
 * `redis+cluster://` or `rediss+cluster://`, or several nodes separated by commas, with user and
 * password in the first. Throws if one of them is no URL.
 */
export function readClusterNodes(url: string): RedisNodes | null {
  const [first = '', ...others] = url.split('?')[0]?.split(',') ?? [];
  if (!first.includes('+cluster:') && others.length === 0) return null;
  const urls = [first, ...others].map(
    (each) => new URL(each.includes('://') ? each.replace('+cluster', '') : `redis://${each}`),
  );
  const { username, password } = urls[0] ?? {};
  return {
    nodes: urls.map(({ hostname, port }) => ({ host: hostname, port: Number(port || 6_379) })),
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    isTls: first.startsWith('rediss'),
  };
}

export const redisUrl = z
  .string()
  .regex(
    /^rediss?(\+cluster)?:\/\//,
    'it must begin with redis:// or rediss://, and for a cluster with redis+cluster:// or ' +
      'rediss+cluster://',
  )
  .superRefine((url, ctx) => {
    try {
      readClusterNodes(url);
    } catch {
      ctx.addIssue({
        code: 'custom',
        message: 'one of its nodes is not a valid host: name each as host:port',
      });
    }
    refuseUnusableCa(url, ctx);
  });

/** Refuses a Redis URL whose CA cannot be read, or is given without TLS. */
function refuseUnusableCa(url: string, ctx: z.RefinementCtx): void {
  if (readParameter(url, 'ssl_ca_certs') === undefined) return;
  if (!url.startsWith('rediss')) {
    ctx.addIssue({ code: 'custom', message: 'ssl_ca_certs needs TLS: begin it with rediss://' });
  }
  refuseUnreadable(url, 'ssl_ca_certs', ctx);
}

/** Returns ioredis's options for the CA in a Redis URL. */
export function readRedisTls(url: string): { tls?: { ca: string } } {
  const path = readParameter(url, 'ssl_ca_certs');
  return path === undefined ? {} : { tls: { ca: readFileSync(path, 'utf8') } };
}
