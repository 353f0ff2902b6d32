import type { PageRequest, RenderedPage } from '@site/schema/page-render';
import { StrictMode } from 'react';
import { prerender } from 'react-dom/static.edge';
import { StaticRouter } from 'react-router-dom';
import { SiteRoutes } from './routes.tsx';
import { landingHead } from './server/head.ts';
import { drawSharePicture, SHARE_PICTURE } from './server/share-picture.ts';
import { provideSiteSettings } from './site-settings.ts';

// React writes what belongs into the head before everything else, since it renders no head of its own here.
const HEAD_ELEMENTS = /^(?:<title>[^<]*<\/title>|<meta [^>]*>|<link [^>]*>)*/;

/**
 * A page as the browser will find it: the same components, settings and instant that it begins with.
 * @public the API calls it from the build
 */
export async function renderPage(request: PageRequest): Promise<RenderedPage> {
  const { address, site, now, form } = request;
  provideSiteSettings({ ...site, renderedAt: now.toISOString() });
  const { prelude } = await prerender(
    <StrictMode>
      <StaticRouter location={address}>
        <SiteRoutes form={form} />
      </StaticRouter>
    </StrictMode>,
    // Whatever is large would otherwise be sent behind a placeholder, for a script to put in its place.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  const html = await new Response(prelude).text();
  const [head = ''] = HEAD_ELEMENTS.exec(html) ?? [];
  return {
    head: address === '/' ? head + landingHead(request) : head,
    body: html.slice(head.length),
  };
}

/** @public the build draws the picture with it */
export const sharePicture = { ...SHARE_PICTURE, draw: drawSharePicture };
