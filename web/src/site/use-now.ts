import { siteSettings } from '../site-settings.ts';
import { useInBrowser } from '../ui/use-in-browser.ts';

const HOUR_MS = 3_600_000;
const currentHour = () => Math.floor(Date.now() / HOUR_MS);

/**
 * Returns the current hour, which is precise enough for the pages' dates. During hydration returns
 * the hour of the HTML, so that both match.
 */
export function useNow(): Date {
  const hour = useInBrowser(currentHour, () => {
    const { renderedAt } = siteSettings();
    return renderedAt === undefined ? currentHour() : Math.floor(Date.parse(renderedAt) / HOUR_MS);
  });
  return new Date(hour * HOUR_MS);
}
