import type { CookieOptions, Request } from 'express';
import { problem } from './problem.ts';

/**
 * Returns the operator's cookies. Over https a `__Host-` name makes browsers refuse one that
 * another host or plain HTTP has set; it needs the path `/`. Otherwise they are sent to the
 * console's calls only.
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
      'PUBLIC_URL is https, but this request came without the header X-Forwarded-Proto: ' +
      'https. Set it in the proxy that ends TLS.',
  });
}
