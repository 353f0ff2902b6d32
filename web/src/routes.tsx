import { lazy, Suspense } from 'react';
import type { ComponentType } from 'react';
import { Route, Routes } from 'react-router-dom';
import { LandingPage } from './pages/landing/LandingPage.tsx';
import { Site } from './site/Site.tsx';

// Only the first page a visitor sees is in the first download.
const SampleSentPage = lazy(async () => ({
  default: (await import('./pages/sample-sent/SampleSentPage.tsx')).SampleSentPage,
}));
const NotFoundPage = lazy(async () => ({
  default: (await import('./pages/not-found/NotFoundPage.tsx')).NotFoundPage,
}));
const ThankYouPage = lazyWithData(async () => (await import('./pages/thank-you/ThankYouPage.tsx')).ThankYouPage);
const AdminLeadsPage = lazyWithData(
  async () => (await import('./pages/admin-leads/AdminLeadsPage.tsx')).AdminLeadsPage,
);

/** Every address the app answers. */
export function SiteRoutes() {
  return (
    <Suspense fallback={null}>
      <Routes>
        <Route element={<Site />}>
          <Route path="/" element={<LandingPage />} />
          <Route path="/sample-sent" element={<SampleSentPage />} />
          <Route path="/thank-you" element={<ThankYouPage />} />
          <Route path="/admin-leads" element={<AdminLeadsPage />} />
          <Route path="*" element={<NotFoundPage />} />
        </Route>
      </Routes>
    </Suspense>
  );
}

/** A page fetched when it is opened, together with what it loads data with. */
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
