import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';
import { firstLoads } from './first-loads.ts';
import { prerenderBuild } from './prerender-build.ts';
import { subsetFonts } from './subset-fonts.ts';

const api = `http://127.0.0.1:${process.env.API_PORT ?? '8080'}`;

// The site's pages and Vite's own URLs. The API serves everything else: probes, metrics, and the
// 404 page.
const VITES =
  '(?:$|[?#]|(?:sample-sent|thank-you|admin-leads)/?(?:$|[?#])' +
  '|@|src/|node_modules/|favicon|fonts/|\\.cache/fonts/)';
const proxy = { [`^/(?!${VITES})`]: api };

// Browsers that were current in November 2024, for scripts and style sheets.
const FLOOR = ['chrome130', 'edge130', 'firefox132', 'safari18.1', 'ios18.1'];

/** Vite finds a page by its name, but not with a trailing slash. */
const consolePage: Plugin = {
  name: 'console-page',
  configureServer: ({ middlewares }) =>
    void middlewares.use((request, _response, next) => {
      request.url = request.url?.replace(/^\/admin-leads\/(?=$|[?#])/u, '/admin-leads');
      next();
    }),
};

export default defineConfig({
  plugins: [react(), subsetFonts(), prerenderBuild(), consolePage],
  server: { proxy },
  build: {
    target: FLOOR,
    // Inlined fonts or pictures (data: URLs) would need a wider content security policy.
    assetsInlineLimit: 0,
    // Lists the files of each page.
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'admin-leads.html'],
      output: {
        codeSplitting: { groups: firstLoads(import.meta.dirname) },
      },
    },
  },
});
