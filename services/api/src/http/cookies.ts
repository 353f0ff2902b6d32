import type { CookieOptions, Request } from 'express';
import { problem } from './problem.ts';

/**
 * Returns the operator's cookies. Over https they have a `__Host-` name, which needs the path `/`.
 * Browsers refuse such a cookie from another host or plain HTTP. Otherwise they are sent only to
 * the console's calls.
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
 * Throws if the browser could not keep the cookie: the site uses https, but this request does not
 * seem to. A browser would sign in and be signed out at once.
 */
export function requireCookieScheme(req: Request, publicUrl: string): void {
  const [scheme] = (req.get('X-Forwarded-Proto') ?? '').split(',');
  // TLS ends at a proxy, which sends this header.
  if (!publicUrl.startsWith('https:') || scheme?.trim().toLowerCase() === 'https') return;
  throw problem('scheme-unknown', {
    detail:
      'PUBLIC_URL is https, but this request came without the header X-Forwarded-Proto: ' +
      'https. Set it in the proxy that ends TLS.',
  });
}
