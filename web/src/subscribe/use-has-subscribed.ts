import { useSiteLocation } from '../site/site-location.tsx';
import { useInBrowser } from '../ui/use-in-browser.ts';
import { hasSubscribed } from './subscribe-draft.ts';

/**
 * Tells whether this browser has subscribed. The server, which renders the page for such a browser with
 * `checkout=subscribed`, marks it as `data-known`, so that hydration begins with the same answer.
 */
export function useHasSubscribed(): boolean {
  const { search } = useSiteLocation();
  return useInBrowser(hasSubscribed, () =>
    typeof document === 'undefined'
      ? new URLSearchParams(search).get('checkout') === 'subscribed'
      : document.querySelector('[data-known]') !== null,
  );
}
