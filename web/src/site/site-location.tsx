import { createContext, use, useSyncExternalStore } from 'react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';

/*
 * Five URLs need no router library, which would be a fifth of the first download. The console, which has a view
 * and a filter in its URL, uses one.
 */

type SiteLocation = { pathname: string; search: string };

const Rendered = createContext<SiteLocation>({ pathname: '/', search: '' });
/** Dispatched with `pushState`, which browsers do not report. */
const MOVED = 'site-moved';

/** Says which URL the server renders. The browser has its own. */
export function RenderedAt({ address, children }: { address: string; children: ReactNode }) {
  const { pathname, search } = new URL(address, 'http://site');
  return <Rendered value={{ pathname, search }}>{children}</Rendered>;
}

/** Returns the URL of the page, and follows it. */
export function useSiteLocation(): SiteLocation {
  const rendered = use(Rendered);
  const serverAddress = () =>
    typeof window === 'undefined' ? rendered.pathname + rendered.search : readAddress();
  const { pathname, search } = new URL(
    useSyncExternalStore(follow, readAddress, serverAddress),
    'http://site',
  );
  return { pathname, search };
}

/** A link to another page of the site, opened without a reload, which would forget this visit's origin. */
export function SiteLink({ href, children, ...rest }: ComponentProps<'a'> & { href: string }) {
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    window.history.pushState(null, '', href);
    window.dispatchEvent(new Event(MOVED));
    window.scrollTo(0, 0);
  };
  return (
    <a href={href} onClick={open} {...rest}>
      {children}
    </a>
  );
}

function readAddress(): string {
  // A path like //x would be read as a host.
  return window.location.pathname.replace(/^\/+/u, '/') + window.location.search;
}

function follow(onChange: () => void): () => void {
  window.addEventListener('popstate', onChange);
  window.addEventListener(MOVED, onChange);
  return () => {
    window.removeEventListener('popstate', onChange);
    window.removeEventListener(MOVED, onChange);
  };
}
