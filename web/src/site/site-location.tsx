import { createContext, use } from 'react';
import type { ReactNode } from 'react';
import { useInBrowser } from '../ui/use-in-browser.ts';

// Five pages, each loaded by the browser, need no router. The console, which has a view and a filter in its URL, uses one.

const Rendered = createContext('/');

/** Says which URL the server renders. The browser has its own. */
export function RenderedAt({ address, children }: { address: string; children: ReactNode }) {
  return <Rendered value={address}>{children}</Rendered>;
}

/** Returns the URL of the page. */
export function useSiteLocation(): { pathname: string; search: string } {
  const rendered = use(Rendered);
  const address = useInBrowser(readAddress, () =>
    typeof window === 'undefined' ? rendered : readAddress(),
  );
  return new URL(address, 'http://site');
}

// A path like //x would be read as a host.
const readAddress = () => window.location.pathname.replace(/^\/+/u, '/') + window.location.search;
