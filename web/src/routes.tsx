import type { PageSettings } from '@site/schema/page-render';
import { lazy, Suspense } from 'react';
import type { ReactNode } from 'react';
import { LandingPage } from './pages/landing/LandingPage.tsx';
import { PageBoundary } from './site/PageBoundary.tsx';
import { Site } from './site/Site.tsx';
import { useSiteLocation } from './site/site-location.tsx';

// Only the landing page is in the first download.
const SampleSentPage = lazy(async () => ({
  default: (await import('./pages/sample-sent/SampleSentPage.tsx')).SampleSentPage,
}));
const SubscribePage = lazy(async () => ({
  default: (await import('./pages/subscribe/SubscribePage.tsx')).SubscribePage,
}));
const NotFoundPage = lazy(async () => ({
  default: (await import('./pages/not-found/NotFoundPage.tsx')).NotFoundPage,
}));
const ThankYouPage = lazy(async () => ({
  default: (await import('./pages/thank-you/ThankYouPage.tsx')).ThankYouPage,
}));
/** The server's own knowledge: the posted form, and the state of a checkout. */
type Known = Pick<PageSettings, 'form' | 'checkout'>;

/** Renders the site's pages. */
export function SiteRoutes(known: Known) {
  const { pathname } = useSiteLocation();
  return (
    <PageBoundary>
      <Suspense fallback={null}>
        <Site>{pageAt(pathname, known)}</Site>
      </Suspense>
    </PageBoundary>
  );
}

/** Finds the page of a path in any case, with or without a trailing slash. */
function pageAt(pathname: string, { form, checkout }: Known): ReactNode {
  switch (pathname.toLowerCase().replace(/(?<=.)\/+$/u, '')) {
    case '/':
      return <LandingPage />;
    case '/sample-sent':
      return <SampleSentPage />;
    case '/thank-you':
      return <ThankYouPage checkout={checkout} />;
    case '/subscribe':
      return <SubscribePage form={form} />;
    default:
      return <NotFoundPage />;
  }
}
