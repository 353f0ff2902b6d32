import { useSiteLocation } from '../site/site-location.tsx';
import { useInBrowser } from '../ui/use-in-browser.ts';
import { hasSubscribed } from './subscribe-draft.ts';

/**
 * Tells whether this browser has subscribed. A page that says so on the server marks what says it as `data-known`, and
 * is asked for at `?checkout=subscribed`.
 */
export function useHasSubscribed(): boolean {
  const { search } = useSiteLocation();
  return useInBrowser(hasSubscribed, () =>
    typeof document === 'undefined'
      ? search === '?checkout=subscribed'
      : document.querySelector('[data-known]') !== null,
  );
}
