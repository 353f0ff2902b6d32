import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { OFFER } from '@site/schema/offer';

import { test } from './support/system.fixture.ts';

const PAGES = [
  { path: '/', heading: 'Read the ledger', status: 200 },
  { path: '/sample-sent', heading: 'Sample Issue Ready!', status: 200 },
  { path: '/thank-you', heading: `Welcome to ${OFFER.productName}!`, status: 200 },
  { path: '/no/such-page', heading: '404 Page Not Found', status: 404 },
] as const;

const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ');

/** Remembers the first heading the parser makes, before any script of ours has run. */
async function rememberHeading(page: Page): Promise<void> {
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      const heading = document.querySelector('h1');
      if (!heading) return;
      Object.assign(window, { firstHeading: heading });
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
}

test('each page opens and reloads as complete HTML, which its scripts take over', async ({
  page,
  request,
  faults,
}) => {
  faults.expect(/^answer 404: GET \/no\/such-page/);
  await rememberHeading(page);
  for (const { path, heading, status } of PAGES) {
    const html = await (await request.get(path)).text();
    const [head = ''] = html.split('</head>');
    expect(textOf(html.split('<body>')[1] ?? ''), path).toContain(heading);
    expect(head, path).toMatch(/<title>[^<]+<\/title>/);
    expect(head.includes('content="noindex"'), path).toBe(path !== '/');

    for (const answer of [await page.goto(path), await page.reload()]) {
      expect(answer?.status(), path).toBe(status);
      await page.waitForLoadState('networkidle');
      await expect(page.getByRole('heading', { level: 1 })).toContainText(heading);
      const isSame = await page.evaluate(
        () =>
          document.querySelector('h1') ===
          (window as unknown as { firstHeading: Element }).firstHeading,
      );
      expect(isSame, path).toBe(true);
    }
  }
});

test('search engines read the offer on the landing page and do not index the console', async ({
  page,
  request,
  system,
}) => {
  await page.goto('/');
  const content = (selector: string) => page.locator(selector).first().getAttribute('content');

  await expect(page).toHaveTitle(new RegExp(`^${OFFER.productName}: `));
  expect(await content('meta[name=description]')).toContain('Every Tuesday 9AM GMT');
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `${system.siteUrl}/`);
  expect(await content('meta[property="og:image"]')).toBe(`${system.siteUrl}/share.png`);
  const picture = await request.get('/share.png');
  expect(picture.headers()['content-type']).toBe('image/png');
  expect((await picture.body()).readUInt32BE(16)).toBe(1_200);

  const data = await page.locator('script[type="application/ld+json"]').allTextContents();
  const [product, questions] = data.map((json) => JSON.parse(json) as Record<string, any>);
  expect(product).toMatchObject({
    '@type': 'Product',
    offers: { price: '239.00', priceCurrency: 'GBP' },
  });
  expect(questions!['mainEntity']).toHaveLength(5);

  expect(await (await request.get('/robots.txt')).text()).toMatch(
    /Disallow: \/admin-leads[\s\S]*Sitemap: http/,
  );
  const sitemap = await (await request.get('/sitemap.xml')).text();
  expect(sitemap.match(/<loc>/g)).toHaveLength(1);
  expect(sitemap).toContain(`<loc>${system.siteUrl}/</loc>`);
  expect((await request.get('/admin-leads')).headers()['x-robots-tag']).toBe('noindex');
});
