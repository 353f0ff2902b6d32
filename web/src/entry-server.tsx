import type { PageRequest, RenderedPage } from '@site/schema/page-render';
import { StrictMode } from 'react';
import { prerender } from 'react-dom/static.edge';
import { isConsolePage } from '@site/schema/site-settings';
import { OpeningConsole } from './console/OpeningConsole.tsx';
import { SiteRoutes } from './routes.tsx';
import { landingHead } from './server/head.ts';
import { RenderedAt } from './site/site-location.tsx';
import { provideSiteSettings } from './site-settings.ts';

// React writes the head's elements first, because it renders no <head> itself here.
const HEAD_ELEMENTS = /^(?:<title>[^<]*<\/title>|<meta [^>]*>|<link [^>]*>)*/;

/**
 * Renders a page with the components, settings and time that the browser will start with.
 * @public the API calls it from the build
 */
export async function renderPage(request: PageRequest): Promise<RenderedPage> {
  const { path, site, now, form, checkout } = request;
  provideSiteSettings({ ...site, renderedAt: now.toISOString() });
  const { prelude } = await prerender(
    <StrictMode>
      <RenderedAt path={path}>
        {isConsolePage(path) ? <OpeningConsole /> : <SiteRoutes form={form} checkout={checkout} />}
      </RenderedAt>
    </StrictMode>,
    // Otherwise React sends large content behind a placeholder, which needs a script.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  const html = await new Response(prelude).text();
  const [head = ''] = HEAD_ELEMENTS.exec(html) ?? [];
  return {
    head: path === '/' ? head + landingHead(request) : head,
    body: html.slice(head.length),
  };
}
