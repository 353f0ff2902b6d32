import { DEFAULT_SITE_SETTINGS, SITE_SETTINGS_ELEMENT_ID } from '@site/schema/site-settings';
import type { SiteSettings } from '@site/schema/site-settings';

let settings: SiteSettings | undefined;

/** What the API wrote into the page when it served it; the defaults where it wrote nothing. */
export function siteSettings(): SiteSettings {
  settings ??= readSiteSettings(
    typeof document === 'undefined' ? null : document.getElementById(SITE_SETTINGS_ELEMENT_ID)?.textContent,
  );
  return settings;
}

/** For the server, which has no page to read them from, and for tests. */
export function provideSiteSettings(provided: SiteSettings): void {
  settings = provided;
}

/** Settings from their JSON. Text that is none must not blank the page, so it counts as empty. */
export function readSiteSettings(json: string | null | undefined): SiteSettings {
  try {
    return { ...DEFAULT_SITE_SETTINGS, ...(JSON.parse(json || '{}') as Partial<SiteSettings>) };
  } catch (error) {
    console.error('The settings in this page are not JSON', error);
    return DEFAULT_SITE_SETTINGS;
  }
}
