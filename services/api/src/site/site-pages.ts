import escapeHtml from 'escape-html';
import type { Clock } from '@site/platform/process/clock';
import { PRERENDERED_PAGES, UNKNOWN_PATH } from '@site/schema/page-render';
import type {
  PageRequest,
  PageSettings,
  PlainForm,
  RenderedPage,
  RenderPage,
} from '@site/schema/page-render';
import { SITE_SETTINGS_ELEMENT_ID } from '@site/schema/site-settings';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pack } from '../http/packed.ts';
import type { Packed } from '../http/packed.ts';
import type { ApiSettings } from '../settings.ts';

/** The site's pages, rendered by the built web app with this process's settings. */
export type SitePages = {
  folder: string;
  read(path: SitePath): Promise<Packed>;
  /** Returns the 404 page, which names the path. */
  notFound(path: string): Promise<string>;
  subscribeForm(form: PlainForm): Promise<string>;
  /** Returns the page after a checkout, with Stripe's state. */
  thankYou(path: string, checkout: NonNullable<PageSettings['checkout']>): Promise<string>;
};

/** Ends of a checkout in the query. They change the page from its first render on. */
const ENDS = ['cancelled', 'failed', 'too-many'] as const;
const SAMPLE_SENT = ENDS.map((end) => `/sample-sent?checkout=${end}` as const);
export const SITE_PATHS = [
  '/',
  '/sample-sent',
  ...SAMPLE_SENT,
  '/thank-you',
  '/admin-leads',
] as const;
export type SitePath = (typeof SITE_PATHS)[number];

export type BuiltSite = {
  folder: string;
  templates: Record<(typeof PRERENDERED_PAGES)[keyof typeof PRERENDERED_PAGES], string>;
  render: RenderPage;
};

/**
 * Finds the built web app: browser files in `folder`, and templates and renderer in the same folder
 * with `-ssr`. Throws a sentence if it is not built.
 */
export async function readBuiltSite(folder: string): Promise<BuiltSite> {
  const ours = `${folder.replace(/\/+$/, '')}-ssr`;
  try {
    const [templates, renderer] = await Promise.all([
      readTemplates(join(ours, 'templates')),
      import(pathToFileURL(join(ours, 'entry-server.js')).href) as Promise<{
        renderPage: RenderPage;
      }>,
    ]);
    return { folder, templates, render: renderer.renderPage };
  } catch (cause) {
    throw new Error(
      `The web app is not built: ${folder} and ${ours} lack its pages. Run "npm start", or ` +
        'build it first.',
      { cause },
    );
  }
}

async function readTemplates(folder: string): Promise<BuiltSite['templates']> {
  const read = Object.values(PRERENDERED_PAGES).map(
    async (name) => [name, await readFile(join(folder, `${name}.html`), 'utf8')] as const,
  );
  return Object.fromEntries(await Promise.all(read)) as BuiltSite['templates'];
}

type SitePagesDeps = { clock: Clock; settings: Pick<ApiSettings, 'site'> };

const SETTINGS = new RegExp(`(<script[^>]*id="${SITE_SETTINGS_ELEMENT_ID}"[^>]*>)[^<]*(</script>)`);
const ROOT = '<div id="root"></div>';
const HEAD_END = '</head>';

const HOUR_MS = 3_600_000;

/**
 * Renders pages on first use and again every hour. Their dates and issues change on the hour: at
 * midnight in London, or at 09:00 UTC.
 */
export function createSitePages(built: BuiltSite, { clock, settings }: SitePagesDeps): SitePages {
  const { site } = settings;
  type Plain = Pick<PageRequest, 'form' | 'checkout'>;
  async function render(
    path: string,
    template: keyof typeof PRERENDERED_PAGES,
    now: Date,
    plain: Plain = {},
  ) {
    const page = await built.render({ path, site, now, ...plain });
    return fillPage(built.templates[PRERENDERED_PAGES[template]], page, {
      ...site,
      renderedAt: now.toISOString(),
      ...plain,
    });
  }

  const packed = hourly(clock, async (path, now) =>
    pack(await render(path, templateOf(path), now)),
  );
  const unknown = hourly(clock, (_path, now) => render(UNKNOWN_PATH, '/not-found', now));

  return {
    folder: built.folder,
    read: packed,
    notFound: async (path) =>
      (await unknown('/not-found')).replaceAll(UNKNOWN_PATH, () => escapeHtml(readable(path))),
    subscribeForm: async (form) => render('/subscribe', '/subscribe', clock.now(), { form }),
    thankYou: async (path, checkout) => render(path, '/thank-you', clock.now(), { checkout }),
  };
}

function templateOf(path: string): keyof typeof PRERENDERED_PAGES {
  if (path.startsWith('/thank-you')) return '/thank-you';
  if (path === '/admin-leads') return path;
  return path.startsWith('/sample-sent') ? '/sample-sent' : '/';
}

/** Computes each value once an hour, even when several callers ask at once. */
function hourly<T>(
  clock: Clock,
  make: (key: string, now: Date) => Promise<T>,
): (key: string) => Promise<T> {
  const made = new Map<string, { hour: number; value: Promise<T> }>();
  return (key) => {
    const now = clock.now();
    const hour = Math.floor(now.getTime() / HOUR_MS);
    const kept = made.get(key);
    if (kept?.hour === hour) return kept.value;
    const value = make(key, now);
    made.set(key, { hour, value });
    value.catch(() => made.delete(key));
    return value;
  };
}

/** Decodes a path for display. Returns it unchanged if its encoding is broken. */
function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Fills settings, head and content into a template. Throws if the template lacks a place for one of
 * them.
 */
function fillPage(template: string, { head, body }: RenderedPage, site: PageSettings): string {
  if (!SETTINGS.test(template))
    throw new Error(`The web app's page has no block "${SITE_SETTINGS_ELEMENT_ID}"`);
  if (!template.includes(ROOT) || !template.includes(HEAD_END))
    throw new Error(`The web app's page has no ${ROOT}`);
  return template
    .replace(SETTINGS, (_, open: string, close: string) => open + toScriptJson(site) + close)
    .replace(ROOT, () => ROOT.replace('></', `>${body}</`))
    .replace(HEAD_END, () => head + HEAD_END);
}

/** Returns JSON that is safe between script tags. */
function toScriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
