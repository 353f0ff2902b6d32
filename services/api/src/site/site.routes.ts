import type { Clock } from '@site/platform/clock';
import { addDays } from '@site/schema/calendar';
import { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import sirv from 'sirv';
import { problem } from '../http/problem.ts';
import type { ApiSettings } from '../settings.ts';
import { SITE_ADDRESSES } from './site-pages.ts';
import type { PackedPage, SiteAddress, SitePages } from './site-pages.ts';

/** Pages that search engines may list. */
const LISTED_PAGES = ['/'];
/** Files at the root have no hash in their name, so they may change. */
const ROOT_FILES = ['/favicon.svg', '/share.png'];
const YEAR_S = 31_536_000;
/** RFC 9116 wants a date less than a year ahead. */
const CONTACT_VALID_DAYS = 300;
const HOUR_S = 3_600;

/**
 * The site: hashed files cached for a year, each page as complete HTML, and the 404 page with its status for any
 * other path.
 */
export function siteRoutes({
  pages,
  settings,
  clock,
}: {
  pages: SitePages;
  settings: Pick<ApiSettings, 'publicUrl' | 'site'>;
  clock: Clock;
}): Router {
  const router = Router();
  const files = { brotli: true, gzip: true, etag: true, extensions: [] };

  router.use('/assets', checkRange, sirv(`${pages.folder}/assets`, { ...files, maxAge: YEAR_S, immutable: true }));
  router.get(ROOT_FILES, checkRange, sirv(pages.folder, { ...files, maxAge: HOUR_S }));

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

  router.get('/.well-known/security.txt', (_req, res) => {
    const expires = addDays(clock.now(), CONTACT_VALID_DAYS).toISOString();
    const address = `${settings.publicUrl}/.well-known/security.txt`;
    res
      .type('text/plain')
      .send(
        `Contact: mailto:${settings.site.supportEmail}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${address}\n`,
      );
  });

  // A regular expression rather than a parameter, because Express fails on a parameter with broken encoding.
  router.get(/^/, async (req, res) => {
    const address = addressOf(req);
    res.set('Cache-Control', 'no-cache').type('html');
    if (address === null) {
      res.status(404).send(await pages.notFound(req.path));
      return;
    }
    if (address === '/admin-leads') res.set('X-Robots-Tag', 'noindex');
    sendPacked(req, res, await pages.read(address));
  });
  return router;
}

/**
 * sirv fails on a range that ends before it begins, and reads any other form than `bytes=a-b` wrongly. The first is
 * refused; the others are ignored, which sends the whole file.
 */
const checkRange: RequestHandler = (req, _res, next) => {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(req.headers.range ?? '') ?? [];
  if (first === undefined) delete req.headers.range;
  else if (last && Number(last) < Number(first)) throw problem('range-not-satisfiable');
  next();
};

function addressOf(req: Request): SiteAddress | null {
  const path = req.path.length > 1 ? req.path.replace(/\/$/, '') : req.path;
  const hasSession = typeof req.query['session_id'] === 'string' && req.query['session_id'] !== '';
  const address = path === '/thank-you' && hasSession ? '/thank-you?session_id=any' : path;
  return SITE_ADDRESSES.find((known) => known === address && (known === path || hasSession)) ?? null;
}

/** Sends the smallest encoding that the browser accepts. */
function sendPacked(req: Request, res: Response, page: PackedPage): void {
  res.vary('Accept-Encoding');
  if (req.acceptsEncodings('br')) res.set('Content-Encoding', 'br').send(page.br);
  else if (req.acceptsEncodings('gzip')) res.set('Content-Encoding', 'gzip').send(page.gzip);
  else res.send(page.html);
}
