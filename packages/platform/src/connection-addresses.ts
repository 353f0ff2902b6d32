import { readFileSync } from 'node:fs';
import { z } from 'zod';

/*
 * The addresses of Postgres and Redis. TLS is chosen in them, with the parameters that other clients use as well:
 * postgres://…?sslmode=verify-full&sslrootcert=/path/ca.pem and rediss://…?ssl_ca_certs=/path/ca.pem.
 */

const CHECKED_MODES = ['verify-full', 'disable'];

/** Returns a parameter of an address, or undefined. */
function readParameter(address: string, name: string): string | undefined {
  return new URLSearchParams(address.split('?')[1] ?? '').get(name) ?? undefined;
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

/** An address of Postgres. Refuses the modes of TLS that do not check who answers. */
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

/** Refuses an address of Redis whose CA cannot be read, or is given without TLS. */
export function refuseUnusableCa(address: string, ctx: z.RefinementCtx): void {
  if (readParameter(address, 'ssl_ca_certs') === undefined) return;
  if (!address.startsWith('rediss')) {
    ctx.addIssue({ code: 'custom', message: 'ssl_ca_certs needs TLS: begin it with rediss://' });
  }
  refuseUnreadable(address, 'ssl_ca_certs', ctx);
}

/** Returns ioredis's options for the CA in an address of Redis. */
export function readRedisTls(address: string): { tls?: { ca: string } } {
  const path = readParameter(address, 'ssl_ca_certs');
  return path === undefined ? {} : { tls: { ca: readFileSync(path, 'utf8') } };
}
