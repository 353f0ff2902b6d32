import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const require = createRequire(import.meta.url);
const OUT_DIR = fileURLToPath(new URL('.cache/fonts/', import.meta.url));

/** Latin-1 and the punctuation our pages use. Other characters use the system font. */
const CHARACTERS =
  [
    ...Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCodePoint(0x20 + i)),
    ...Array.from({ length: 0x100 - 0xa0 }, (_, i) => String.fromCodePoint(0xa0 + i)),
  ].join('') + '–—−×‘’“”…';

const FONTS = [
  {
    name: 'newsreader.woff2',
    from: '@fontsource-variable/newsreader/files/newsreader-latin-opsz-normal.woff2',
    axes: { opsz: 60, wght: { min: 440, max: 600 } },
  },
  {
    name: 'source-sans-3.woff2',
    from: '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2',
    axes: { wght: { min: 400, max: 700 } },
  },
];

async function writeFonts(): Promise<void> {
  mkdirSync(OUT_DIR, { recursive: true });
  const recipeAt =
    statSync(fileURLToPath(import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  for (const { name, from, axes } of FONTS) {
    const file = OUT_DIR + name;
    if (existsSync(file) && statSync(file).mtimeMs > recipeAt) continue;
    const whole = readFileSync(require.resolve(from));
    writeFileSync(
      file,
      await subsetFont(whole, CHARACTERS, { targetFormat: 'woff2', variationAxes: axes }),
    );
  }
}

/** Subsets both families to the pages' characters, and preloads them in every page. */
export function subsetFonts(): Plugin {
  return {
    name: 'subset-fonts',
    config: writeFonts,
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        return Object.keys(bundle ?? {})
          .filter((file) => file.endsWith('.woff2'))
          .map((file) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              href: `/${file}`,
              as: 'font',
              type: 'font/woff2',
              crossorigin: '',
            },
            injectTo: 'head' as const,
          }));
      },
    },
  };
}
