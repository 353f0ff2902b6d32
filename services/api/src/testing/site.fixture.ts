import { PRERENDERED_PAGES } from '@site/schema/page-render';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuiltSite } from '../site/site-pages.ts';

const TEMPLATE =
  '<!doctype html><html><head><script type="application/json" id="site-settings">{}</script></head><body><div id="root"></div></body></html>';

/** Returns a web app whose pages contain only their request. */
export function plainSite(changes: Partial<BuiltSite> = {}): BuiltSite {
  const folder = join(tmpdir(), 'site-without-files');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  return {
    folder,
    templates: Object.fromEntries(
      Object.values(PRERENDERED_PAGES).map((name) => [name, TEMPLATE]),
    ) as BuiltSite['templates'],
    render: async ({ path, now, form, checkout }) => ({
      head: `<title>${path}</title>`,
      body: `<pre>${JSON.stringify({ path, now, form, checkout })}</pre>`,
    }),
    ...changes,
  };
}
