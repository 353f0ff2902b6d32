import { readFileSync } from 'node:fs';
import { z } from 'zod';

/*
 * The URLs of Postgres and Redis. They choose TLS, with the parameters that other clients use too:
 * postgres://…?sslmode=verify-full&sslrootcert=/path/ca.pem and
 * rediss://…?ssl_ca_certs=/path/ca.pem.
 */

const CHECKED_MODES = ['verify-full', 'disable'];

/** Returns a parameter of a URL, or undefined. The last of several counts, as for the driver. */
export function readParameter(address: string, name: string): string | undefined {
  return new URLSearchParams(address.split('?')[1] ?? '').getAll(name).at(-1);
}

function refuseUnreadable(address: string, name: string, ctx: z.RefinementCtx): void {
  const path = readParameter(address, name);
  if (path === undefined) return;
  try {
    readFileSync(path);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    ctx.addIssue({ code: 'custom', message: `its ${name}, ${path}, cannot be read (${code})` });
  }
}

/** Accepts a Postgres URL. Refuses TLS modes that do not check which server answers. */
export const postgresAddress = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'it must begin with postgres://')
  .superRefine((address, ctx) => {
    const mode = readParameter(address, 'sslmode');
    if (mode !== undefined && !CHECKED_MODES.includes(mode)) {
      const message = `sslmode=${mode} does not check which server answers: use sslmode=verify-full`;
      ctx.addIssue({ code: 'custom', message });
    }
    refuseUnreadable(address, 'sslrootcert', ctx);
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
export function readClusterNodes(address: string): RedisNodes | null {
  const [first = '', ...others] = address.split('?')[0]?.split(',') ?? [];
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

export const redisAddress = z
  .string()
  .regex(
    /^rediss?(\+cluster)?:\/\//,
    'it must begin with redis:// or rediss://, and for a cluster with redis+cluster:// or rediss+cluster://',
  )
  .superRefine((address, ctx) => {
    try {
      readClusterNodes(address);
    } catch {
      ctx.addIssue({
        code: 'custom',
        message: 'one of its nodes is not a valid host: name each as host:port',
      });
    }
    refuseUnusableCa(address, ctx);
  });

/** Refuses a Redis URL whose CA cannot be read, or is given without TLS. */
function refuseUnusableCa(address: string, ctx: z.RefinementCtx): void {
  if (readParameter(address, 'ssl_ca_certs') === undefined) return;
  if (!address.startsWith('rediss')) {
    ctx.addIssue({ code: 'custom', message: 'ssl_ca_certs needs TLS: begin it with rediss://' });
  }
  refuseUnreadable(address, 'ssl_ca_certs', ctx);
}

/** Returns ioredis's options for the CA in a Redis URL. */
export function readRedisTls(address: string): { tls?: { ca: string } } {
  const path = readParameter(address, 'ssl_ca_certs');
  return path === undefined ? {} : { tls: { ca: readFileSync(path, 'utf8') } };
}
