import type { RequestHandler } from 'express';
import { isConsolePage } from '@site/schema/site-settings';
import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { ApiSettings } from '../settings.ts';
import { problem } from './problem.ts';

/**
 * Sets the security headers of every answer. Scripts come from us, and on the site also from the
 * configured analytics and chat. The console and its calls allow no other host.
 */
export function securityHeaders({
  publicUrl,
  site,
  stripe,
}: Pick<ApiSettings, 'publicUrl' | 'site' | 'stripe'>): RequestHandler {
  const isHttps = publicUrl.startsWith('https:');
  const analytics = site.analyticsId ? analyticsOrigins(site.analyticsScriptUrl) : [];
  // The form without JavaScript redirects to Stripe's checkout, or to the sandbox's in development.
  const checkout = stripe.apiUrl === undefined ? [] : [new URL(stripe.apiUrl).origin];
  const chat = site.chatWidgetUrl ? [new URL(site.chatWidgetUrl).origin] : [];
  const directives = {
    'script-src': ["'self'"],
    'connect-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'frame-src': ["'none'"],
    // Dialogs use a style element to stop the page from scrolling.
    'style-src': ["'self'", "'unsafe-inline'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'upgrade-insecure-requests': isHttps ? [] : null,
  };
  const headers = (policy: typeof directives) =>
    readHeaders(
      helmet({
        contentSecurityPolicy: { directives: policy },
        frameguard: { action: 'deny' },
        // Other sites see our origin at most, never a path or a query.
        referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
        strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: true } : false,
      }),
    ).set('Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()');
  const ofConsole = headers(directives);
  const ofSite = headers({
    ...directives,
    'script-src': ["'self'", ...analytics, ...chat],
    'connect-src': ["'self'", ...analytics, ...chat],
    'img-src': ["'self'", 'data:', ...analytics],
    'frame-src': ["'self'", ...chat],
    'form-action': [
      "'self'",
      'https://checkout.stripe.com',
      'https://billing.stripe.com',
      ...checkout,
    ],
  });
  return (req, res, next) => {
    res.setHeaders(isConsole(req.path) ? ofConsole : ofSite);
    next();
  };
}

/** Reads a middleware's headers once, because they are the same for every answer. */
function readHeaders(
  middleware: (req: IncomingMessage, res: ServerResponse, next: () => void) => void,
) {
  const req = new IncomingMessage(new Socket());
  const res = new ServerResponse(req);
  middleware(req, res, () => undefined);
  return new Map(Object.entries(res.getHeaders()).map(([name, value]) => [name, String(value)]));
}

// Express matches paths regardless of case.
const isConsole = (path: string) => isConsolePage(path) || /^\/api\/admin(?:\/|$)/i.test(path);

/** Returns the origin of the script and, for Google's script, of the hosts it reports to. */
function analyticsOrigins(scriptUrl: string): string[] {
  const { origin, hostname } = new URL(scriptUrl);
  const isGoogles = hostname === 'www.googletagmanager.com';
  return isGoogles
    ? [origin, 'https://*.google-analytics.com', 'https://*.analytics.google.com']
    : [origin];
}

const isWrite = (method: string) => method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';

/**
 * Refuses writes that a browser sends from another origin. Other clients send no Origin, and have
 * no operator's cookie to misuse.
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
 * Lets the listed origins' pages make this call with credentials, as the site's own calls do. The
 * call reads no cookie.
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
