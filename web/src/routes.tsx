import { OFFER } from '@site/schema/offer';
import type { PageSettings } from '@site/schema/page-render';
import { lazy, Suspense } from 'react';
import type { ReactNode } from 'react';
import { LandingPage } from './pages/landing/LandingPage.tsx';
import { PageBoundary } from './site/PageBoundary.tsx';
import { Site } from './site/Site.tsx';
import { useSiteLocation } from './site/site-location.tsx';
import { Brand } from './ui/Brand.tsx';
import { ToastOutlet } from './ui/ToastOutlet.tsx';

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
const RoutedConsole = lazy(async () => ({
  default: (await import('./console/Console.tsx')).RoutedConsole,
}));

/** The server's own knowledge: the posted form, and the state of a checkout. */
type Known = Pick<PageSettings, 'form' | 'checkout'>;

/** The site's pages. */
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

/** Finds the page of a path in any case, with or without a slash at its end. */
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

/**
 * The operator's console. It shares no route with the site, whose third-party scripts must not run here.
 * Going from one to the other reloads the page.
 */
export function ConsoleRoutes() {
  return (
    <PageBoundary>
      <Suspense fallback={<OpeningConsole />}>
        <RoutedConsole />
        <ToastOutlet />
      </Suspense>
    </PageBoundary>
  );
}

/** The console while its code loads: its bar, and an empty line for the state of the sync. */
export function OpeningConsole() {
  return (
    <div className="opening" data-density="tool">
      <Brand name={OFFER.productName} />
      <p>
        Opening the console…{' '}
        <span className="late">
          It needs JavaScript, and Chrome, Edge, Firefox or Safari of the last two years.
        </span>
      </p>
    </div>
  );
}
