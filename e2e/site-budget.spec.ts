import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { test } from './support/system.fixture.ts';

const ASSETS = join(import.meta.dirname, '../web/dist/assets');
const KB = 1_000;

/** Counts the bytes of the page's scripts, as sent, with their headers. */
async function countScripts(page: Page): Promise<() => number> {
  let bytes = 0;
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const scripts = new Set<string>();
  network.on(
    'Network.responseReceived',
    ({ requestId, type }) => type === 'Script' && scripts.add(requestId),
  );
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  return () => bytes;
}

/** Counts the landing page's loads before it is idle and without a press. */
test('the landing page stays within its budgets: script, style and fonts', async ({ page }) => {
  await page.addInitScript(() => (window.requestIdleCallback = () => 0));
  const loaded = new Set<string>();
  const scriptBytes = await countScripts(page);
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/assets/')) loaded.add(pathname.slice('/assets/'.length));
  });
  await page.goto('/');
  await page.waitForLoadState('networkidle');

  const sizeOf = (ending: string, sent = '') =>
    [...loaded]
      .filter((name) => name.endsWith(ending))
      .reduce((sum, name) => sum + readFileSync(join(ASSETS, name + sent)).length, 0);
  // The page's style is inline.
  const inside = await page
    .locator('style')
    .evaluateAll((styles) => styles.map((style) => style.textContent).join(''));
  const css = brotliCompressSync(inside).length + sizeOf('.css', '.br');
  const sizes = { js: scriptBytes(), css, fonts: sizeOf('.woff2') };
  console.log('before interaction, in bytes as sent:', JSON.stringify(sizes));
  expect(Math.min(...Object.values(sizes))).toBeGreaterThan(1 * KB);
  expect(sizes.js).toBeLessThanOrEqual(85 * KB);
  expect(sizes.css).toBeLessThanOrEqual(20 * KB);
  expect(sizes.fonts).toBeLessThanOrEqual(60 * KB);
  expect(
    [...loaded].filter((name) => /Subscribe|Toaster|zod|AdminLeads|ConsentBanner/.test(name)),
  ).toEqual([]);
});

test("the console's first load stays within its budget", async ({ operatorPage: page }) => {
  const scriptBytes = await countScripts(page);
  await page.goto('/admin-leads');
  await expect(page.getByRole('heading', { name: 'Leads', exact: true })).toBeVisible();
  await expect(page.getByText('Loading leads...')).toBeHidden();
  // The first-run checklist is loaded last.
  await expect(page.getByRole('heading', { name: 'Before the first visitor' })).toBeVisible();
  console.log('scripts of the console, in bytes as sent:', scriptBytes());
  expect(scriptBytes()).toBeGreaterThan(100 * KB);
  expect(scriptBytes()).toBeLessThanOrEqual(150 * KB);
});

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[] };

/**
 * Lists every script that a visitor's page may load, now or on a press, without the console's
 * scripts.
 */
function visitorFiles(manifest: Record<string, Chunk>): string[] {
  const seen = new Set<string>();
  const visit = (name: string) => {
    if (seen.has(name) || name.includes('src/console/')) return;
    seen.add(name);
    const { imports = [], dynamicImports = [] } = manifest[name] ?? {};
    for (const next of [...imports, ...dynamicImports]) visit(next);
  };
  visit('index.html');
  return [...seen]
    .flatMap((name) => manifest[name]?.file ?? [])
    .filter((file) => file.endsWith('.js'));
}

const readBuilt = (file: string) => readFileSync(join(ASSETS, '..', file), 'utf8');
const readManifest = () => JSON.parse(readBuilt('.vite/manifest.json')) as Record<string, Chunk>;

test('visitors load nothing of the console', () => {
  const files = visitorFiles(readManifest());
  const named = files.filter((file) => {
    const code = readBuilt(file);
    return code.includes('/api/admin/') || code.includes('Apply Filters');
  });

  expect(files.length).toBeGreaterThan(5);
  expect(named).toEqual([]);
});

/** The name of zod's error, which every schema of the build contains. */
const SCHEMA = 'ZodError';

test('visitors load no schema', () => {
  const manifest = readManifest();
  const all = Object.values(manifest).map(({ file }) => file);
  const visitors = visitorFiles(manifest);

  // The console reads its URLs with schemas.
  expect(
    all.filter((file) => file.endsWith('.js') && readBuilt(file).includes(SCHEMA)),
  ).not.toEqual([]);
  expect(visitors.filter((file) => readBuilt(file).includes(SCHEMA))).toEqual([]);
});
