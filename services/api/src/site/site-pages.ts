import { SITE_SETTINGS_ELEMENT_ID } from '@site/schema/site-settings';
import type { SiteSettings } from '@site/schema/site-settings';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The built web app as it is served: its one page with the settings in it, and the folder of its files. */
export type SitePages = { html: string; folder: string };

/** JSON that is safe between script tags. */
function toScriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

/** Puts the settings into the page's block for them. Throws when the page has none. */
export function fillSettings(html: string, site: SiteSettings): string {
  const block = new RegExp(`(<script[^>]*id="${SITE_SETTINGS_ELEMENT_ID}"[^>]*>)[^<]*(</script>)`);
  if (!block.test(html)) throw new Error(`The web app's page has no block "${SITE_SETTINGS_ELEMENT_ID}"`);
  return html.replace(block, (_, open: string, close: string) => open + toScriptJson(site) + close);
}

/** Reads the built web app once, at start. Throws a sentence when it is not built. */
export async function loadSitePages(folder: string, site: SiteSettings): Promise<SitePages> {
  let html: string;
  try {
    html = await readFile(join(folder, 'index.html'), 'utf8');
  } catch (cause) {
    throw new Error(`The web app is not built: ${folder} has no index.html. Run "npm start", or build it first.`, {
      cause,
    });
  }
  return { html: fillSettings(html, site), folder };
}
