import type { Page } from '@playwright/test';
import type { Database } from '@site/platform/database/connect';
import { parse } from 'csv-parse';
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { ARRIVAL, measureUntil, openConsole, waitForSights } from './browser.ts';
import type { Sight } from './browser.ts';
import { readCounts, toFigures } from './counted-leads.ts';
import { onFilledApi } from './filled-api.ts';
import type { Infra } from './filled-api.ts';
import { say } from './report.ts';
import type { Report } from './report.ts';
import type { RunningApi } from './running-api.ts';

type Finding = { value: number; unit: 'ms' | 'MB' | '' };

const SMALL = 1_000;
const LARGE = Number(process.env['BENCH_BROWSER_LEADS'] ?? 100_000);
const ROUNDS = 5;
const PER_PAGE = 50;
const TIMES_MORE = 10;
const COMMON_NAME = 'amelia';
/** A search counts the rows, up to this many. */
const MAX_COUNTED = 10_000;
const ROWS = 'table[aria-label="Leads"] tbody tr';
const FIGURES = 'nav[aria-label="Counters"] li > :first-child > :last-child';
const FIRST_PAGE: Sight = { selector: ROWS, count: PER_PAGE };

/** Measures an operator's actions with few leads and with many. */
export async function benchBrowser(infra: Infra): Promise<Report[]> {
  const small = await onFilledApi(infra, SMALL, measureActions);
  const large = await onFilledApi(infra, LARGE, measureActions);
  const lines = [...large].map(([name, { value, unit }]) => {
    const before = small.get(name)?.value ?? Number.NaN;
    return [`${name}${unit && `, ${unit}`}`, say(before), say(value), say(value / before)];
  });
  const heads = [
    'action',
    ...[SMALL, LARGE].map((size) => `${size.toLocaleString('en-GB')} leads`),
    'ratio',
  ];
  return [{ name: 'browser', title: 'Console, in a browser', heads, lines, isGood: true }];
}

/**
 * The claim: an operator's actions take as long with many leads as with few. Also checks that the counters, rows and
 * file match the table.
 */
async function measureActions(api: RunningApi, db: Database): Promise<Map<string, Finding>> {
  const opened = await openConsole(api);
  const { page, errors } = opened;
  try {
    const findings = new Map<string, Finding>([
      ['log in to rows', ms(await measureLogin(page, db, api.login))],
      ['open to rows', ms(await median(async () => openList(page, db)))],
      ['filter to rows', ms(await median(async () => measureFilter(page, db)))],
      ['search to rows', ms(await median(async () => measureSearch(page, db)))],
      ['click to drawer', ms(await measureDrawers(page, db))],
      ['click to Overview', ms(await median(async () => measureOverview(page, db)))],
      [
        'arrival to counter',
        ms(
          await median(async (round) => {
            await openList(page, db);
            return measureArrival(page, db, `first${round}`);
          }),
        ),
      ],
      ...(await measureDeepList(page, db)),
      [
        'arrival to counter, deep',
        ms(await median(async (round) => measureArrival(page, db, `deep${round}`))),
      ],
      ['click to CSV, whole', ms(await measureCsv(page, db))],
    ]);
    assert.deepEqual(errors, [], 'nothing fails unseen');
    return findings;
  } finally {
    await opened.close();
  }
}

async function measureLogin(page: Page, db: Database, login: RunningApi['login']): Promise<number> {
  await page.goto('/admin-leads');
  await page.getByLabel('Username').fill(login.username);
  await page.getByLabel('Password').fill(login.password);
  return measureUntil(page, () => page.keyboard.press('Enter'), [
    FIRST_PAGE,
    await readFigures(db),
  ]);
}

/** Measures opening the unfiltered list, by the page's own clock. */
async function openList(page: Page, db: Database): Promise<number> {
  const figures = await readFigures(db);
  await page.goto('/admin-leads');
  return waitForSights(page, [FIRST_PAGE, figures]);
}

async function measureFilter(page: Page, db: Database): Promise<number> {
  await openList(page, db);
  const formTypes = Array.from({ length: PER_PAGE }, () => 'Pre-Sample');
  const figures = toFigures(await readCounts(db, `form_type = 'pre_sample'`));
  await page.getByLabel('Form Type').selectOption('pre_sample');
  return measureUntil(page, () => page.getByRole('button', { name: 'Apply Filters' }).click(), [
    { selector: `${ROWS} td:nth-child(3)`, texts: formTypes },
    { selector: FIGURES, texts: figures },
  ]);
}

/** Measures a search, including the console's wait for a pause in typing. */
async function measureSearch(page: Page, db: Database): Promise<number> {
  await openList(page, db);
  const counts = await readCounts(db, `full_name ilike '%${COMMON_NAME}%'`);
  // Beyond that the console only shows that there are more.
  const figures: Sight =
    counts.total > MAX_COUNTED
      ? { selector: FIGURES, among: `${MAX_COUNTED.toLocaleString('en-GB')}+` }
      : { selector: FIGURES, texts: toFigures(counts) };
  return measureUntil(page, () => page.getByRole('searchbox').fill(COMMON_NAME), [
    FIRST_PAGE,
    figures,
  ]);
}

async function measureDrawers(page: Page, db: Database): Promise<number> {
  await openList(page, db);
  const leads = page.locator(`${ROWS} a`);
  const open: Sight = { selector: '[role="dialog"] h3', among: 'Timeline' };
  return median(async (row) => {
    const tookMs = await measureUntil(page, () => leads.nth(row).click(), [open]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    return tookMs;
  });
}

async function measureOverview(page: Page, db: Database): Promise<number> {
  await openList(page, db);
  const link = page
    .getByRole('navigation', { name: 'Console' })
    .getByRole('link', { name: 'Overview' });
  return measureUntil(page, () => link.click(), [{ selector: 'main', among: 'Left an address' }]);
}

/** Measures loading more pages. Leaves the list at its last page. */
async function measureDeepList(page: Page, db: Database): Promise<[string, Finding][]> {
  await openList(page, db);
  const more = page.getByRole('button', { name: `Load ${PER_PAGE} more` });
  let last = 0;
  for (let pages = 2; pages <= TIMES_MORE + 1; pages++) {
    last = await measureUntil(page, () => more.click(), [
      { selector: ROWS, count: pages * PER_PAGE },
    ]);
  }
  const ids = await page.locator(ROWS).evaluateAll((rows) => rows.map(({ id }) => id));
  assert.equal(new Set(ids).size, (TIMES_MORE + 1) * PER_PAGE, 'no row is shown twice');
  const elements = await page.evaluate(() => document.querySelectorAll('*').length);
  return [
    [`${TIMES_MORE}th "load more" to rows`, ms(last)],
    ['rows then', { value: ids.length, unit: '' }],
    ['elements then', { value: elements, unit: '' }],
    ['script memory then', { value: (await readHeap(page)) / 1e6, unit: 'MB' }],
  ];
}

/** Measures from the answer to a posted lead until the open page's counters have gone up by one. */
async function measureArrival(page: Page, db: Database, name: string): Promise<number> {
  const counts = await readCounts(db);
  const oneMore = toFigures({ ...counts, total: counts.total + 1, preBuy: counts.preBuy + 1 });
  await page.getByText(/^Live, /).waitFor();
  const arrive = async () => {
    const status = await page.evaluate(
      async ({ email, event }) => {
        const answer = await fetch('/api/lead/subscribe', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ email, formType: 'pre_buy' }),
        });
        dispatchEvent(new Event(event));
        return answer.status;
      },
      { email: `${name}@arrived.example`, event: ARRIVAL },
    );
    assert.equal(status, 201);
  };
  return measureUntil(page, arrive, [{ selector: FIGURES, texts: oneMore }]);
}

async function measureCsv(page: Page, db: Database): Promise<number> {
  const startedAt = performance.now();
  const downloading = page.context().waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const path = await (await downloading).path();
  const tookMs = performance.now() - startedAt;
  const ids = new Set<unknown>();
  let rows = 0;
  // Names a row whose number of cells differs from the header's.
  for await (const row of createReadStream(path).pipe(parse({ bom: true, columns: true }))) {
    ids.add((row as { id: string }).id);
    rows += 1;
  }
  const { total } = await readCounts(db);
  assert.deepEqual([rows, ids.size], [total, total], 'the file has every lead, once');
  return tookMs;
}

async function readFigures(db: Database): Promise<Sight> {
  return { selector: FIGURES, texts: toFigures(await readCounts(db)) };
}

async function readHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

async function median(measureOnce: (round: number) => Promise<number>): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round++) taken.push(await measureOnce(round));
  return taken.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}

const ms = (value: number): Finding => ({ value, unit: 'ms' });
