import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { subsetFonts } from './subset-fonts.ts';

const api = `http://127.0.0.1:${process.env.API_PORT ?? '8080'}`;

export default defineConfig({
  plugins: [react(), subsetFonts()],
  // The schema package is compiled in from source, so a page never runs against an older build of it.
  resolve: { conditions: ['development', 'module', 'browser'] },
  server: { proxy: { '/api': api, '/sample-site': api } },
  preview: { proxy: { '/api': api, '/sample-site': api } },
  build: {
    target: 'es2022',
    // A font or picture as a data: address would need a wider content policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
