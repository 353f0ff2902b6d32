import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { isConsentNeeded } from './analytics/consent.ts';
import { SiteRoutes } from './routes.tsx';
import { readSampleEmail, takeSampleEmail } from './sample-email.ts';
import { keepFocusInSight } from './site/focus-in-sight.ts';
import { noteArrival } from './subscribe/attribution.ts';
import { hasSavedLeads, offerSavedLeads } from './subscribe/saved-leads.ts';

// First of all: an address must not stay in the address bar, where history, referrers and scripts find it.
const arrivedAt = new Date();
const cleanAddress = takeSampleEmail(window.location.href, arrivedAt);
if (cleanAddress !== null) window.history.replaceState(window.history.state, '', cleanAddress);
// Reading it forgets it when its time is over, whatever page this is.
readSampleEmail(arrivedAt);
noteArrival({ url: window.location.href, referrer: document.referrer }, arrivedAt);

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root to render into');

const app = (
  <StrictMode>
    <BrowserRouter>
      <SiteRoutes />
    </BrowserRouter>
  </StrictMode>
);
// Pages for visitors come with their HTML; the console, and every page in development, begins empty.
if (root.firstChild) hydrateRoot(root, app);
else createRoot(root).render(app);

if (isConsentNeeded())
  void import('./analytics/third-parties.ts').then(
    ({ loadWithConsent }) => loadWithConsent(),
    () => undefined,
  );

keepFocusInSight();

// A lead whose call failed, on an earlier visit or while the network was away.
const offerAgain = () => void offerSavedLeads(new Date());
if (hasSavedLeads(arrivedAt)) offerAgain();
window.addEventListener('online', offerAgain);
