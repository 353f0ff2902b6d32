import connectPgSimple from 'connect-pg-simple';
import type { CookieOptions, Request, RequestHandler, Response } from 'express';
import session from 'express-session';
import type { Pool } from 'pg';
import type { ApiSettings } from '../settings.ts';
import { problem } from './problem.ts';

/**
 * Returns the operator's cookies. Over https a `__Host-` name makes browsers refuse one that another host or plain HTTP
 * has set; it needs the path `/`. Otherwise they are sent to the console's calls only.
 */
export function operatorCookies(publicUrl: string): {
  session: string;
  device: string;
  options: CookieOptions;
} {
  const isHttps = publicUrl.startsWith('https:');
  const prefix = isHttps ? '__Host-' : '';
  return {
    session: `${prefix}operator`,
    device: `${prefix}operator-device`,
    options: {
      path: isHttps ? '/' : '/api/admin',
      httpOnly: true,
      sameSite: 'lax',
      secure: isHttps,
    },
  };
}

export function readCookie(req: Request, name: string): string | undefined {
  const pairs = (req.get('Cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/**
 * Throws if the cookie could not be set: the site is served over https, but this request does not
 * seem to be. A browser would sign in and be signed out at once.
 */
export function requireCookieScheme(req: Request, publicUrl: string): void {
  const [scheme] = (req.get('X-Forwarded-Proto') ?? '').split(',');
  // TLS ends at a proxy, which sends this header.
  if (!publicUrl.startsWith('https:') || scheme?.trim().toLowerCase() === 'https') return;
  throw problem('scheme-unknown', {
    detail:
      'PUBLIC_URL is https, but this request came without the header X-Forwarded-Proto: https. Set it in the proxy that ends TLS.',
  });
}

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
  const middleware = session({
    store,
    secret: [...sessionSecrets],
    name: cookies.session,
    resave: false,
    saveUninitialized: false,
    // A cookie is set only for a new session id. A late answer that repeated an old id would sign
    // the operator out.
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

/** Puts a cookie before the others of an answer: simple clients read only the first. */
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
