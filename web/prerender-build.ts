import react from '@vitejs/plugin-react';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import type { Plugin } from 'vite';

const ROOT = fileURLToPath(new URL('.', import.meta.url));

/** The output folders: `dist` is public, `serverDist` is not. */
type Folders = { dist: string; serverDist: string };

/** The console's shell. All other pages share the site's shell. */
const CONSOLE = 'admin-leads.html';

/** The files of each page. Its template inlines these styles and preloads these scripts. */
const TEMPLATES: Record<string, string[]> = {
  landing: [],
  'sample-sent': ['src/pages/sample-sent/SampleSentPage.tsx'],
  'thank-you': ['src/pages/thank-you/ThankYouPage.tsx'],
  'not-found': ['src/pages/not-found/NotFoundPage.tsx'],
  subscribe: ['src/pages/subscribe/SubscribePage.tsx'],
  console: [],
};

type Manifest = Record<
  string,
  { file: string; css?: string[]; imports?: string[]; isEntry?: boolean }
>;
/**
 * Completes the browser's build: the page renderer for the API, a template for each page with its
 * styles and scripts, and compressed copies of every file.
 */
export function prerenderBuild(): Plugin {
  let folders: Folders;
  return {
    name: 'prerender-build',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    configResolved({ root, build: { outDir } }) {
      const dist = resolve(root, outDir);
      folders = { dist, serverDist: `${dist}-ssr` };
    },
    closeBundle: {
      sequential: true,
      async handler(error) {
        if (error) return;
        await buildRenderer(folders);
        writeTemplates(folders);
        compressAll(folders.dist);
      },
    },
  };
}

async function buildRenderer({ serverDist }: Folders): Promise<void> {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true },
    build: {
      ssr: 'src/entry-server.tsx',
      outDir: serverDist,
      emptyOutDir: true,
      copyPublicDir: false,
      target: 'node20',
      minify: false,
    },
  });
}

function writeTemplates({ dist, serverDist }: Folders): void {
  const manifest: Manifest = JSON.parse(
    readFileSync(join(dist, '.vite/manifest.json'), 'utf8'),
  ) as Manifest;
  mkdirSync(join(serverDist, 'templates'), { recursive: true });
  for (const [name, sources] of Object.entries(TEMPLATES)) {
    const shell = readFileSync(join(dist, name === 'console' ? CONSOLE : 'index.html'), 'utf8');
    const { scripts, styles } = filesOf(manifest, sources);
    const ahead = scripts
      .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`)
      .filter((link) => !shell.includes(link));
    // A returning operator has already cached the console's styles.
    const page = name === 'console' ? shell : withStylesInside(dist, shell, styles);
    const whole = withScriptsLast(page.replace('</head>', `${ahead.join('')}</head>`));
    writeFileSync(join(serverDist, 'templates', `${name}.html`), whole);
  }
}

const STYLE_LINK = /<link rel="stylesheet" crossorigin href="\/([^"]+)">/g;

/**
 * Inlines the styles, because a few kilobytes arrive sooner inside the page than with a second
 * request.
 */
function withStylesInside(dist: string, shell: string, styles: string[]): string {
  const ofShell = [...shell.matchAll(STYLE_LINK)].flatMap(([, file]) => file ?? []);
  if (ofShell.length === 0) throw new Error('The build has no shared style sheet');
  const all = [...ofShell, ...styles];
  const css = all.map((file) => readFileSync(join(dist, file), 'utf8').trim()).join('');
  // Otherwise a page's script would fetch its style sheets again.
  const links = all.map(
    (file) => `<link rel="stylesheet" type="text/plain" crossorigin href="/${file}">`,
  );
  return shell
    .replaceAll(STYLE_LINK, '')
    .replace('</head>', () => `<style>${css}</style>${links.join('')}</head>`);
}

/** Loads scripts after fonts, because visitors read a page before they use it. */
function withScriptsLast(page: string): string {
  return page.replace(
    /<(?:script type="module"|link rel="modulepreload")/g,
    (tag) => `${tag} fetchpriority="low"`,
  );
}

function filesOf(manifest: Manifest, sources: string[]): { scripts: string[]; styles: string[] } {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const take = (key: string): void => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The build has no chunk for ${key}, which a page's template needs`);
    // Every page already has the entry and its imports.
    if (chunk.isEntry || scripts.has(chunk.file)) return;
    for (const imported of chunk.imports ?? []) take(imported);
    scripts.add(chunk.file);
    for (const file of chunk.css ?? []) styles.add(file);
  };
  for (const source of sources) take(source);
  return { scripts: [...scripts], styles: [...styles] };
}

/** Fonts and pictures are already compressed. */
const COMPRESSIBLE = /\.(?:js|css|svg|json|txt)$/;

function compressAll(dist: string): void {
  for (const file of listFiles(dist).filter((path) => COMPRESSIBLE.test(path))) {
    const bytes = readFileSync(file);
    const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, brotli));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

function listFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? listFiles(path) : [path]));
}
