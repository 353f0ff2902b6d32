// @module-tag long
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, vi } from 'vitest';
import { buildCharts, buildLead, buildSubscribers } from '../../testing/build-console.ts';
import { findRow, haveLeads, showConsole, test } from '../../testing/console-test.tsx';

const FIGURES = buildCharts({
  days: [
    { day: '2025-11-24', preSample: 20, preBuy: 10 },
    { day: '2025-11-25', preSample: 37, preBuy: 23 },
    { day: '2025-11-27', preSample: 10, preBuy: 9 },
  ],
  sources: [
    { source: 'sample_site', isRest: false, preSample: 262, preBuy: 6 },
    { source: 'nav_sub', isRest: false, preSample: 0, preBuy: 32 },
  ],
});
const byDay = async () => within(await screen.findByRole('region', { name: 'Leads by day' }));

let width: number;

// Drawings are as wide as their place, and a test's page has no layout.
beforeEach(() => {
  width = 600;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #tell: ResizeObserverCallback;
      constructor(tell: ResizeObserverCallback) {
        this.#tell = tell;
      }
      observe(): void {
        const contentRect = { top: 0, left: 0, width, height: 133 };
        queueMicrotask(() => this.#tell([{ contentRect } as ResizeObserverEntry], this));
      }
      unobserve(): void {}
      disconnect(): void {}
    },
  );
});

test('each column with leads is a link with its figures, shows them at a pointer or the focus, and leads to them', async ({
  api,
  user,
}) => {
  api.answer('GET /api/admin/charts', FIGURES);
  showConsole('/admin-leads?formType=pre_buy&status=failed&endDate=2025-12-03');
  const chart = await byDay();
  // Days without a lead have their places too.
  await waitFor(() => expect(chart.getAllByRole('listitem')).toHaveLength(14));
  expect(chart.getAllByRole('link')).toHaveLength(3);
  chart.getByRole('listitem', { name: /^26 Nov: 0,/ });
  const region = screen.getByRole('region', { name: 'Leads by day' });
  const day = chart.getByRole('link', { name: '25 Nov: 60, 37 Pre-Sample and 23 Pre-Buy' });

  expect(region.textContent).toContain('Leads by day 20 Nov to 3 Dec');
  await waitFor(() =>
    expect([...region.querySelectorAll('text')].map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['20 Nov', '30', '1 Dec', '3']),
    ),
  );

  await user.hover(day);
  expect(region.querySelector('[data-tip]')?.textContent).toBe('25 NovPre-Sample 37Pre-Buy 23');
  await user.unhover(day);
  expect(region.querySelector('[data-tip]')).toBeNull();

  const stops = chart.getAllByRole('link').filter(({ tabIndex }) => tabIndex === 0);
  expect(stops).toEqual([day]);
  act(() => day.focus());
  await user.keyboard('{ArrowLeft}');
  expect(document.activeElement).toBe(chart.getByRole('link', { name: /^24 Nov/ }));
  await user.keyboard('{Home}');
  expect(document.activeElement).toBe(chart.getByRole('link', { name: /^24 Nov/ }));
  await user.keyboard('{End}');
  expect(document.activeElement).toBe(chart.getByRole('link', { name: /^27 Nov/ }));
  act(() => day.focus());
  expect(region.querySelector('[data-tip]')?.textContent).toBe('25 NovPre-Sample 37Pre-Buy 23');

  // The Enter key follows an SVG link only in a browser: see `tasks-leads.spec.ts`.
  await user.click(day);
  expect(window.location.search).toBe('?formType=pre_buy&startDate=2025-11-25&endDate=2025-11-25');
  expect(region.querySelector('[data-tip]')).toBeNull();
});

test('a state without subscribers is not shown', async ({ api, stream }) => {
  const lead = buildLead();
  haveLeads(api, [lead]);
  showConsole();
  await findRow(lead);
  expect(screen.queryByText(/confirmed/)).toBeNull();

  haveLeads(api, [lead], 0, { subscribers: buildSubscribers({ rejected: 2 }) });
  act(() => stream.tell({ leads: [lead] }));

  expect(
    (await screen.findByText('rejected by Beehiiv', { exact: false })).closest('a'),
  ).not.toBeNull();
  expect(screen.queryByText('confirmed', { exact: false })).toBeNull();
});

test('the first lead brings the charts', async ({ api, stream }) => {
  showConsole();
  await screen.findByText('No leads found');

  api.answer('GET /api/admin/charts', FIGURES);
  act(() => stream.tell({ hasNew: true }));

  await byDay();
});

test('a source leads to its leads', async ({ api, user }) => {
  api.answer('GET /api/admin/charts', FIGURES);
  showConsole();
  const sources = within(await screen.findByRole('region', { name: 'By source' }));

  await user.click(await sources.findByRole('link', { name: /Menu bar/ }));

  expect(window.location.search).toBe('?source=nav_sub');
});

test('leads without a source have a list too, and a sum of sources has none', async ({
  api,
  user,
}) => {
  const row = { isRest: false, preSample: 0, preBuy: 3 };
  const rest = { ...row, source: null, isRest: true };
  api.answer('GET /api/admin/charts', {
    ...FIGURES,
    sources: [...FIGURES.sources, { ...row, source: null }, rest],
  });
  showConsole();
  const sources = within(await screen.findByRole('region', { name: 'By source' }));

  sources.getByText('all others');
  expect(sources.queryByRole('link', { name: /all others/ })).toBeNull();
  await user.click(sources.getByRole('link', { name: /Not known/ }));

  expect(window.location.search).toBe('?without=source');
  await screen.findAllByText(/^All Forms, all dates, without a source/);
});

test('the drawing is in proportion to the figures', async ({ api }) => {
  api.answer('GET /api/admin/charts', FIGURES);
  showConsole('/admin-leads?startDate=2025-11-24&endDate=2025-11-27');
  await byDay();
  const drawing = screen.getByRole('region', { name: 'Leads by day' });

  await waitFor(() =>
    expect(drawing.querySelectorAll('rect[data-tone="buy"]').length).toBeGreaterThan(2),
  );
  const heights = [...drawing.querySelectorAll('rect[data-tone="buy"]')].map((bar) =>
    Number(bar.getAttribute('height')),
  );
  expect(heights[1]! / heights[0]!).toBeCloseTo(23 / 10, 1);
  expect([...drawing.querySelectorAll('text')].map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['20', '40', '60', '24 Nov', '25']),
  );
});

test('where not every day has room for a label, the first and the last have theirs', async ({
  api,
}) => {
  width = 320;
  api.answer('GET /api/admin/charts', FIGURES);
  showConsole('/admin-leads?endDate=2025-12-03');
  await byDay();
  const chart = screen.getByRole('region', { name: 'Leads by day' });

  await waitFor(() =>
    expect(
      [...chart.querySelectorAll('text[text-anchor=middle]')].map(({ textContent }) => textContent),
    ).toEqual(['20 Nov', '23', '25', '27', '29', '1 Dec', '3', '60']),
  );
});

test('the columns of a chart fill its width, however few they are', async ({ api }) => {
  api.answer('GET /api/admin/charts', FIGURES);
  showConsole('/admin-leads?startDate=2025-11-24&endDate=2025-11-25');
  const region = await screen.findByRole('region', { name: 'Leads by day' });

  await waitFor(() => expect(region.querySelectorAll('rect[data-tone="buy"]')).toHaveLength(2));
  const [first, last] = [...region.querySelectorAll('rect[data-tone="buy"]')].map((bar) => ({
    left: Number(bar.getAttribute('x')),
    width: Number(bar.getAttribute('width')),
  }));
  // The test's drawing is 600 wide.
  expect(first!.left).toBeGreaterThan(100);
  expect(last!.left + last!.width).toBeGreaterThan(440);
  expect(last!.width).toBeLessThanOrEqual(48);
});

test('charts of only the newest leads say so', async ({ api }) => {
  api.answer('GET /api/admin/charts', { ...FIGURES, isCapped: true });
  haveLeads(api, [buildLead()], 0, {
    subscribers: buildSubscribers({ confirmed: 10_000 }),
    isCapped: true,
  });
  showConsole('/admin-leads?search=ada');

  await screen.findByText('Of the newest 10,000 leads.');
  screen.getByText('of 10,000 of them');
});
