import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { loadWithQuery } from './analytics/hidden-query.ts';
import { siteSettings } from './site-settings.ts';
import { SiteRoutes } from './routes.tsx';
import { readSampleEmail, takeSampleEmail } from './sample-email.ts';
import { showFocusedElements } from './site/show-focused.ts';
import { noteArrival } from './subscribe/attribution.ts';
import { keepSendingSavedLeads } from './subscribe/saved-leads.ts';

// First, because history, referrers and scripts could read an email in the address bar.
const arrivedAt = new Date();
const cleanUrl = takeSampleEmail(window.location.href, arrivedAt);
if (cleanUrl !== null) window.history.replaceState(window.history.state, '', cleanUrl);
// Reading an expired email deletes it.
readSampleEmail(arrivedAt);
noteArrival({ url: window.location.href, referrer: document.referrer }, arrivedAt);

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root to render into');

const app = (
  <StrictMode>
    <SiteRoutes {...siteSettings()} />
  </StrictMode>
);
// Production pages are rendered by the server. Development has no such server.
if (!loadWithQuery()) {
  // A separate task, in slices, so that a slow phone responds to a finger meanwhile.
  if (root.firstChild) setTimeout(() => startTransition(() => void hydrateRoot(root, app)));
  else createRoot(root).render(app);
}
showFocusedElements();

// A lead whose call failed on an earlier visit, while offline, or while our server did not answer.
keepSendingSavedLeads();
