import { PRERENDERED_PAGES } from '@site/schema/page-render';
import type { RenderPage } from '@site/schema/page-render';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuiltSite } from './site-pages.ts';

/**
 * Finds the built web app: the files for browsers in `folder`, and the templates and the renderer in the folder of
 * the same name with `-ssr`. Throws a sentence if it is not built.
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
      `The web app is not built: ${folder} and ${ours} lack its pages. Run "npm start", or build it first.`,
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
