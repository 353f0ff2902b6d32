import express, { Router } from 'express';
import type { ApiSettings } from '../settings.ts';
import type { SitePages } from './site-pages.ts';

const PAGES = ['/', '/sample-sent', '/thank-you', '/admin-leads'];
/** What search engines may list. */
const LISTED_PAGES = ['/'];

/** The site: hashed files for ever, the page for every route, and the 404 page with its status for any other path. */
export function siteRoutes({
  pages,
  settings,
}: {
  pages: SitePages;
  settings: Pick<ApiSettings, 'publicUrl'>;
}): Router {
  const router = Router();

  router.use(
    '/assets',
    express.static(`${pages.folder}/assets`, { immutable: true, maxAge: '1y', index: false, redirect: false }),
  );
  router.use(
    express.static(pages.folder, {
      index: false,
      redirect: false,
      maxAge: '1h',
      setHeaders: (res, path) => {
        if (path.endsWith('.html')) res.set('Cache-Control', 'no-cache');
      },
    }),
  );

  router.get('/robots.txt', (_req, res) => {
    res
      .type('text/plain')
      .send(`User-agent: *\nDisallow: /admin-leads\nDisallow: /api/\nSitemap: ${settings.publicUrl}/sitemap.xml\n`);
  });
  router.get('/sitemap.xml', (_req, res) => {
    const urls = LISTED_PAGES.map((path) => `<url><loc>${settings.publicUrl}${path}</loc></url>`).join('');
    res
      .type('application/xml')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>\n`,
      );
  });

  router.get('/{*path}', (req, res) => {
    const path = req.path.length > 1 ? req.path.replace(/\/$/, '') : req.path;
    if (path === '/admin-leads') res.set('X-Robots-Tag', 'noindex');
    res
      .status(PAGES.includes(path) ? 200 : 404)
      .set('Cache-Control', 'no-cache')
      .type('html')
      .send(pages.html);
  });
  return router;
}
