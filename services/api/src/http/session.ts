import connectPgSimple from 'connect-pg-simple';
import type { RequestHandler } from 'express';
import session from 'express-session';
import type { Pool } from 'pg';
import type { ApiSettings } from '../settings.ts';

/** Whoever does nothing for so long is logged out. */
const SESSION_HOURS = 12;

/**
 * Operator sessions, kept in Postgres: they survive Redis and can be ended by SQL. The cookie goes to the
 * console's calls only.
 */
export function operatorSessions(
  pool: Pool,
  { publicUrl, sessionSecret }: Pick<ApiSettings, 'publicUrl' | 'sessionSecret'>,
): { middleware: RequestHandler; close(): Promise<void> } {
  const isHttps = publicUrl.startsWith('https:');
  const Store = connectPgSimple(session);
  const store = new Store({ pool, tableName: 'operator_sessions', pruneSessionInterval: 15 * 60 });
  return {
    middleware: session({
      store,
      secret: sessionSecret,
      name: 'operator',
      resave: false,
      saveUninitialized: false,
      // A cookie is set when its id is new, each hour of use, and at no other time: an answer that comes late would put
      // the old id back, which is worth nothing a minute on.
      rolling: false,
      // TLS ends at a proxy; the public address says whether there is any.
      proxy: isHttps,
      cookie: {
        path: '/api/admin',
        httpOnly: true,
        sameSite: 'lax',
        secure: isHttps,
        maxAge: SESSION_HOURS * 3_600_000,
      },
    }),
    close: () => Promise.resolve(store.close()).then(() => undefined),
  };
}
