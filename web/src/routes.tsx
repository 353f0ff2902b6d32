import type { PlainForm } from '@site/schema/page-render';
import { lazy, Suspense } from 'react';
import type { ComponentType } from 'react';
import { Route, Routes } from 'react-router-dom';
import { LandingPage } from './pages/landing/LandingPage.tsx';
import { PageBoundary } from './site/PageBoundary.tsx';
import { Site } from './site/Site.tsx';
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
const ThankYouPage = lazyWithData(async () => (await import('./pages/thank-you/ThankYouPage.tsx')).ThankYouPage);
const AdminLeadsPage = lazyWithData(
  async () => (await import('./pages/admin-leads/AdminLeadsPage.tsx')).AdminLeadsPage,
);

/** The site's pages. `form` holds what a visitor without JavaScript typed; only the server provides it. */
export function SiteRoutes({ form }: { form?: PlainForm | undefined }) {
  return (
    <PageBoundary>
      <Suspense fallback={null}>
        <Routes>
          <Route element={<Site />}>
            <Route path="/" element={<LandingPage />} />
            <Route path="/sample-sent" element={<SampleSentPage />} />
            <Route path="/thank-you" element={<ThankYouPage />} />
            <Route path="/subscribe" element={<SubscribePage form={form} />} />
            <Route path="*" element={<NotFoundPage />} />
          </Route>
        </Routes>
      </Suspense>
    </PageBoundary>
  );
}

/**
 * The operator's console. It shares no route with the site, whose third-party scripts must not run here.
 * Going from one to the other reloads the page.
 */
export function ConsoleRoutes() {
  return (
    <PageBoundary>
      <Suspense fallback={null}>
        <Routes>
          <Route path="/admin-leads" element={<AdminLeadsPage />} />
        </Routes>
        <ToastOutlet />
      </Suspense>
    </PageBoundary>
  );
}

/** Fetches a page's code, and its data loading, when the page is opened. */
function lazyWithData(fetchPage: () => Promise<ComponentType>) {
  return lazy(async () => {
    const [Page, { DataLoading }] = await Promise.all([fetchPage(), import('./site/DataLoading.tsx')]);
    function PageWithData() {
      return (
        <DataLoading>
          <Page />
        </DataLoading>
      );
    }
    return { default: PageWithData };
  });
}
