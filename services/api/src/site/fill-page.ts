import type { RenderedPage } from '@site/schema/page-render';
import { SITE_SETTINGS_ELEMENT_ID } from '@site/schema/site-settings';
import type { SiteSettings } from '@site/schema/site-settings';

const SETTINGS = new RegExp(`(<script[^>]*id="${SITE_SETTINGS_ELEMENT_ID}"[^>]*>)[^<]*(</script>)`);
const ROOT = '<div id="root"></div>';
const HEAD_END = '</head>';

/** Fills settings, head and content into a template. Throws if the template lacks a place for one of them. */
export function fillPage(template: string, { head, body }: RenderedPage, site: SiteSettings): string {
  if (!SETTINGS.test(template)) throw new Error(`The web app's page has no block "${SITE_SETTINGS_ELEMENT_ID}"`);
  if (!template.includes(ROOT) || !template.includes(HEAD_END)) throw new Error(`The web app's page has no ${ROOT}`);
  return template
    .replace(SETTINGS, (_, open: string, close: string) => open + toScriptJson(site) + close)
    .replace(ROOT, () => ROOT.replace('></', `>${body}</`))
    .replace(HEAD_END, () => head + HEAD_END);
}

/** JSON that is safe between script tags. */
function toScriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
