import type { Clock } from '@site/platform/process/clock';
import { addDays } from '@site/schema/calendar';
import { Router } from 'express';
import type { Request, RequestHandler } from 'express';
import expressStaticGzip from 'express-static-gzip';
import { sendPacked } from '../http/packed.ts';
import type { ApiSettings } from '../settings.ts';
import { SITE_PATHS } from './site-pages.ts';
import type { SitePath, SitePages } from './site-pages.ts';

/** Pages that search engines may list. */
const LISTED_PAGES = ['/'];
/** Files at the root have no hash in their name, so they may change. */
const ROOT_FILES = ['/favicon.svg', '/share.png'];
/** RFC 9116 requires a date less than a year ahead. */
const CONTACT_VALID_DAYS = 300;

/**
 * Serves the site: hashed files cached for a year, each page as complete HTML, and the 404 page for
 * any other path.
 */
export function siteRoutes({
  pages,
  settings,
  clock,
}: {
  pages: SitePages;
  settings: Pick<ApiSettings, 'site'>;
  clock: Clock;
}): Router {
  const router = Router();

  router.use('/assets', serveFiles(`${pages.folder}/assets`, { maxAge: '1y', immutable: true }));
  router.get(ROOT_FILES, serveFiles(pages.folder, { maxAge: '1h' }));

  router.get('/robots.txt', (_req, res) => {
    res
      .type('text/plain')
      .send(
        'User-agent: *\nDisallow: /admin-leads\nDisallow: /api/\nSitemap: ' +
          `${settings.site.publicUrl}/sitemap.xml\n`,
      );
  });
  router.get('/sitemap.xml', (_req, res) => {
    const urls = LISTED_PAGES.map(
      (path) => `<url><loc>${settings.site.publicUrl}${path}</loc></url>`,
    ).join('');
    res
      .type('application/xml')
      .send(
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset ' +
          `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>\n`,
      );
  });

  router.get('/.well-known/security.txt', (_req, res) => {
    const expires = addDays(clock.now(), CONTACT_VALID_DAYS).toISOString();
    const canonical = `${settings.site.publicUrl}/.well-known/security.txt`;
    res
      .type('text/plain')
      .send(
        `Contact: mailto:${settings.site.supportEmail}\nExpires: ` +
          `${expires}\nPreferred-Languages: en\nCanonical: ${canonical}\n`,
      );
  });

  // A regular expression rather than a parameter, because Express fails on a parameter with broken
  // encoding.
  router.get(/^/, async (req, res) => {
    const path = pathOf(req);
    // After a return from Stripe, the page's words about the checkout may be outdated.
    res.set('Cache-Control', path?.includes('?') ? 'no-store' : 'no-cache').type('html');
    if (path === null) {
      res.status(404).send(await pages.notFound(req.path));
      return;
    }
    if (path === '/admin-leads') res.set('X-Robots-Tag', 'noindex');
    sendPacked(req, res, await pages.read(path));
  });
  return router;
}

/** Serves the build's compressed files. Leaves a missing file to the pages. */
function serveFiles(
  folder: string,
  caching: { maxAge: string; immutable?: boolean },
): RequestHandler {
  const files = expressStaticGzip(folder, {
    enableBrotli: true,
    orderPreference: ['br', 'gzip'],
    index: false,
    serveStatic: { ...caching, redirect: false },
  }) as RequestHandler;
  return (req, res, next) =>
    files(req, res, (failure) => {
      for (const name of ['Content-Encoding', 'Content-Type']) res.removeHeader(name);
      next(failure);
    });
}

function pathOf(req: Request): SitePath | null {
  const path = req.path.length > 1 ? req.path.replace(/\/$/, '') : req.path;
  const { checkout } = req.query;
  const end = typeof checkout === 'string' ? checkout : '';
  const find = (path: string) => SITE_PATHS.find((known) => known === path);
  return find(`${path}?checkout=${end}`) ?? find(path) ?? null;
}
