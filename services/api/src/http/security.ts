import type { RequestHandler } from 'express';
import { isConsoleAddress } from '@site/schema/console-address';
import helmet from 'helmet';
import type { ApiSettings } from '../settings.ts';
import { problem } from './problem.ts';

/**
 * Sets the security headers of every answer. Scripts come from us, and on the site also from the configured
 * analytics and chat. The console and its calls allow no other host.
 */
export function securityHeaders({
  publicUrl,
  site,
  stripe,
}: Pick<ApiSettings, 'publicUrl' | 'site' | 'stripe'>): RequestHandler[] {
  const isHttps = publicUrl.startsWith('https:');
  const analytics = site.analyticsId ? analyticsOrigins(site.analyticsScriptUrl) : [];
  // The form without JavaScript redirects to Stripe's checkout, or to the sandbox's in development.
  const checkout = stripe.apiUrl === undefined ? [] : [new URL(stripe.apiUrl).origin];
  const chat = site.chatWidgetUrl ? [new URL(site.chatWidgetUrl).origin] : [];
  const policy: RequestHandler = (_req, res, next) => {
    res.set('Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()');
    next();
  };
  const directives = {
    'script-src': ["'self'"],
    'connect-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'frame-src': ["'none'"],
    // Dialogs stop the page from scrolling with a style element.
    'style-src': ["'self'", "'unsafe-inline'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'upgrade-insecure-requests': isHttps ? [] : null,
  };
  const consolePolicy = helmet.contentSecurityPolicy({ directives });
  const sitePolicy = helmet.contentSecurityPolicy({
    directives: {
      ...directives,
      'script-src': ["'self'", ...analytics, ...chat],
      'connect-src': ["'self'", ...analytics, ...chat],
      'img-src': ["'self'", 'data:', ...analytics],
      'frame-src': ["'self'", ...chat],
      'form-action': ["'self'", 'https://checkout.stripe.com', 'https://billing.stripe.com', ...checkout],
    },
  });
  return [
    policy,
    helmet({
      contentSecurityPolicy: false,
      frameguard: { action: 'deny' },
      // Other sites see our origin at most, never a path or a query.
      referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
      strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    }),
    (req, res, next) => (isConsole(req.path) ? consolePolicy : sitePolicy)(req, res, next),
  ];
}

// Express matches paths regardless of case.
const isConsole = (path: string) => isConsoleAddress(path) || /^\/api\/admin(?:\/|$)/i.test(path);

/** Returns the origin of the script and, for Google's, of the hosts it reports to. */
function analyticsOrigins(scriptUrl: string): string[] {
  const { origin, hostname } = new URL(scriptUrl);
  const isGoogles = hostname === 'www.googletagmanager.com';
  return isGoogles ? [origin, 'https://*.google-analytics.com', 'https://*.analytics.google.com'] : [origin];
}

const isWrite = (method: string) => method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';

/**
 * Refuses writes that a browser sends from another site. A caller that is not a browser sends no Origin, and has no
 * operator's cookie to misuse.
 */
export function sameOriginWrites(publicUrl: string): RequestHandler {
  const publicHost = new URL(publicUrl).host;
  return (req, _res, next) => {
    const origin = req.get('Origin');
    if (!isWrite(req.method) || origin === undefined) return next();
    const host = URL.canParse(origin) ? new URL(origin).host : null;
    if (host !== null && (host === req.get('Host') || host === publicHost)) return next();
    throw problem('origin-refused');
  };
}

/**
 * Allows pages of the listed origins to make this call with credentials, as the site's own calls do. It reads no cookie.
 */
export function allowOrigins(origins: string[]): RequestHandler {
  return (req, res, next) => {
    res.vary('Origin');
    const origin = req.get('Origin');
    if (origin !== undefined && origins.includes(origin)) {
      res.set({
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After',
        'Cross-Origin-Resource-Policy': 'cross-origin',
      });
      if (req.method === 'OPTIONS') {
        res.set({
          'Access-Control-Allow-Methods': 'POST',
          'Access-Control-Allow-Headers': 'Content-Type, Idempotency-Key',
          'Access-Control-Max-Age': '600',
        });
        res.status(204).end();
        return;
      }
    }
    next();
  };
}
