import { siteSettings } from '../site-settings.ts';
import { useInBrowser } from '../ui/use-in-browser.ts';

const HOUR_MS = 3_600_000;
const currentHour = () => Math.floor(Date.now() / HOUR_MS);

/**
 * Returns the current hour, the precision the pages' dates need. During hydration it returns the
 * hour the HTML was rendered in, so that both match.
 */
export function useNow(): Date {
  const hour = useInBrowser(currentHour, () => {
    const { renderedAt } = siteSettings();
    return renderedAt === undefined ? currentHour() : Math.floor(Date.parse(renderedAt) / HOUR_MS);
  });
  return new Date(hour * HOUR_MS);
}
