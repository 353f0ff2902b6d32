import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './zod-settings.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { markOperatorBrowser } from './analytics/consent.ts';
import { PageBoundary } from './site/PageBoundary.tsx';
import { showFocusedElements } from './site/show-focused.ts';
import { ToastOutlet } from './ui/ToastOutlet.tsx';
import { RoutedConsole } from './console/Console.tsx';

// The console has its own page, because the site's third-party scripts must not run here.
const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root to render into');

markOperatorBrowser();
createRoot(root).render(
  <StrictMode>
    <PageBoundary>
      <RoutedConsole />
      <ToastOutlet />
    </PageBoundary>
  </StrictMode>,
);
showFocusedElements();
