import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { SiteRoutes } from './routes.tsx';
import { readSampleEmail, takeSampleEmail } from './sample-email.ts';
import { noteArrival } from './subscribe/attribution.ts';

// First of all: an address must not stay in the address bar, where history, referrers and scripts find it.
const arrivedAt = new Date();
const cleanAddress = takeSampleEmail(window.location.href, arrivedAt);
if (cleanAddress !== null) window.history.replaceState(window.history.state, '', cleanAddress);
// Reading it forgets it when its time is over, whatever page this is.
readSampleEmail(arrivedAt);
noteArrival({ url: window.location.href, referrer: document.referrer });

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root to render into');

createRoot(root).render(
  <StrictMode>
    <BrowserRouter>
      <SiteRoutes />
    </BrowserRouter>
  </StrictMode>,
);
