import connectPgSimple from 'connect-pg-simple';
import type { RequestHandler } from 'express';
import session from 'express-session';
import type { Pool } from 'pg';
import type { ApiSettings } from '../settings.ts';

/** A session that is idle for this long ends. */
const SESSION_HOURS = 12;

/**
 * Operator sessions. They are in Postgres, so they survive Redis and can be ended by SQL. The cookie is sent to the
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
      // The cookie is set only when the session id is new. A late answer that repeated an old id would sign the
      // operator out.
      rolling: false,
      // TLS ends at a proxy, so the public address tells whether there is TLS.
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
