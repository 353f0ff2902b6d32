import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import { isConsoleAddress } from '@site/schema/console-address';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { chooseConsent, isConsentNeeded } from './analytics/consent.ts';
import { ConsoleRoutes, SiteRoutes } from './routes.tsx';
import { readSampleEmail, takeSampleEmail } from './sample-email.ts';
import { keepFocusInSight } from './site/focus-in-sight.ts';
import { noteArrival } from './subscribe/attribution.ts';
import { hasSavedLeads, offerSavedLeads } from './subscribe/saved-leads.ts';

// Runs first: an email address must not stay in the address bar, where history, referrers and scripts find it.
const arrivedAt = new Date();
const cleanAddress = takeSampleEmail(window.location.href, arrivedAt);
if (cleanAddress !== null) window.history.replaceState(window.history.state, '', cleanAddress);
// Reading it also deletes it once it has expired.
readSampleEmail(arrivedAt);
noteArrival({ url: window.location.href, referrer: document.referrer }, arrivedAt);

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root to render into');

const isConsole = isConsoleAddress(window.location.pathname);
const app = (
  <StrictMode>
    <BrowserRouter>{isConsole ? <ConsoleRoutes /> : <SiteRoutes />}</BrowserRouter>
  </StrictMode>
);
// The server renders the visitors' pages. The console, and every page in development, starts empty.
if (root.firstChild) hydrateRoot(root, app);
else createRoot(root).render(app);

if (isConsole) {
  // A third-party script on any page of ours could read the console's data with the operator's session.
  if (isConsentNeeded()) chooseConsent('declined');
} else if (isConsentNeeded()) {
  void import('./analytics/third-parties.ts').then(
    ({ loadWithConsent }) => loadWithConsent(),
    () => undefined,
  );
}

keepFocusInSight();

// Sends again a lead whose call failed, on an earlier visit or while offline.
const offerAgain = () => void offerSavedLeads(new Date());
if (hasSavedLeads(arrivedAt)) offerAgain();
window.addEventListener('online', offerAgain);
