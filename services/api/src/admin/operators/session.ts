import connectPgSimple from 'connect-pg-simple';
import type { RequestHandler, Response } from 'express';
import session from 'express-session';
import type { Pool } from 'pg';
import type { ApiSettings } from '../../settings.ts';
import { operatorCookies } from '../../http/cookies.ts';

/**
 * Creates operator sessions in Postgres, where they survive a loss of Redis and SQL can end them.
 */
export function operatorSessions(
  pool: Pool,
  {
    publicUrl,
    sessionSecrets,
    sessionMs,
  }: Pick<ApiSettings, 'publicUrl' | 'sessionSecrets' | 'sessionMs'>,
): { middleware: RequestHandler; close(): Promise<void> } {
  const cookies = operatorCookies(publicUrl);
  const Store = connectPgSimple(session);
  const store = new Store({
    pool,
    tableName: 'operator_sessions',
    pruneSessionInterval: 15 * 60,
    // A session ends a fixed time after the login. Otherwise each call would wait for a write.
    disableTouch: true,
  });
  // `startSession` stores a session. Saving a session again could bring its ended row back.
  store.set = (_sid, _data, done) => done?.();
  const middleware = session({
    store,
    secret: [...sessionSecrets],
    name: cookies.session,
    resave: false,
    saveUninitialized: false,
    // Sets a cookie only for a new session id. A late answer that repeated an old id would sign the
    // operator out.
    rolling: false,
    // TLS ends at a proxy, so the public URL decides.
    proxy: cookies.options.secure,
    cookie: { ...cookies.options, maxAge: sessionMs },
  });
  return {
    middleware: (req, res, next) => {
      putFirst(res, cookies.session);
      void middleware(req, res, next);
    },
    close: () => Promise.resolve(store.close()).then(() => undefined),
  };
}

/** Puts a cookie before an answer's other cookies, because simple clients read only the first. */
function putFirst(res: Response, name: string): void {
  const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => Response;
  res.writeHead = (...args: unknown[]) => {
    const cookies = res.getHeader('Set-Cookie');
    const isFirst = (cookie: string) => Number(cookie.startsWith(`${name}=`));
    if (Array.isArray(cookies))
      res.setHeader(
        'Set-Cookie',
        cookies.toSorted((a, b) => isFirst(b) - isFirst(a)),
      );
    return writeHead(...args);
  };
}
