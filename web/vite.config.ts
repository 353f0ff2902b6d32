import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { prerenderBuild } from './prerender-build.ts';
import { subsetFonts } from './subset-fonts.ts';

const api = `http://127.0.0.1:${process.env.API_PORT ?? '8080'}`;

// The schema package is compiled in from source, so a page never runs against an older build of it.
const fromSource = ['development', 'module'];

export default defineConfig({
  plugins: [react(), subsetFonts(), prerenderBuild({ resolve: { conditions: fromSource } })],
  resolve: { conditions: [...fromSource, 'browser'] },
  server: { proxy: { '/api': api, '/subscribe': api, '/sample-site': api } },
  preview: { proxy: { '/api': api, '/subscribe': api, '/sample-site': api } },
  build: {
    target: 'es2022',
    // A font or picture as a data: address would need a wider content policy.
    assetsInlineLimit: 0,
    // Tells which files belong to which page.
    manifest: true,
    modulePreload: { polyfill: false },
  },
});
