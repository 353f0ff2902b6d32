import { DEFAULT_SITE_SETTINGS, SITE_SETTINGS_ELEMENT_ID } from '@site/schema/site-settings';
import type { PageSettings } from '@site/schema/page-render';

let settings: PageSettings | undefined;

/** Returns the settings the API wrote into the page, or the defaults. */
export function siteSettings(): PageSettings {
  settings ??= readSiteSettings(
    typeof document === 'undefined'
      ? null
      : document.getElementById(SITE_SETTINGS_ELEMENT_ID)?.textContent,
  );
  return settings;
}

/** Sets the settings on the server, which has no page to read, and in tests. */
export function provideSiteSettings(provided: PageSettings): void {
  settings = provided;
}

/** Parses the settings. Invalid JSON gives the defaults, because it must not blank the page. */
export function readSiteSettings(json: string | null | undefined): PageSettings {
  try {
    return { ...DEFAULT_SITE_SETTINGS, ...(JSON.parse(json || '{}') as Partial<PageSettings>) };
  } catch (error) {
    console.error('The settings in this page are not JSON', error);
    return DEFAULT_SITE_SETTINGS;
  }
}
