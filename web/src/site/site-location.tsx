import { createContext, use } from 'react';
import type { ReactNode } from 'react';
import { useInBrowser } from '../ui/use-in-browser.ts';

// Five pages that the browser loads need no router. The console, with view and filter in its URL,
// uses a router.

const Rendered = createContext('/');

/** Provides the URL that the server renders. The browser has its own. */
export function RenderedAt({ path, children }: { path: string; children: ReactNode }) {
  return <Rendered value={path}>{children}</Rendered>;
}

/** Returns the URL of the page. */
export function useSiteLocation(): { pathname: string; search: string } {
  const rendered = use(Rendered);
  const path = useInBrowser(readPath, () =>
    typeof window === 'undefined' ? rendered : readPath(),
  );
  return new URL(path, 'http://site');
}

// A path like //x would be read as a host.
const readPath = () => window.location.pathname.replace(/^\/+/u, '/') + window.location.search;
