import { useSyncExternalStore } from 'react';
import { siteSettings } from '../site-settings.ts';

const HOUR_MS = 3_600_000;
const neverTells = () => () => undefined;
const currentHour = () => Math.floor(Date.now() / HOUR_MS);

/**
 * Now, to the hour: whatever is said of days and issues changes on the hour. While the browser takes a page
 * over, it is the hour the page's HTML was made in, so that it finds exactly what it would have written.
 */
export function useNow(): Date {
  const hour = useSyncExternalStore(neverTells, currentHour, () => {
    const { renderedAt } = siteSettings();
    return renderedAt === undefined ? currentHour() : Math.floor(Date.parse(renderedAt) / HOUR_MS);
  });
  return new Date(hour * HOUR_MS);
}
