import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, vi } from 'vitest';
import { buildCharts } from '../../../testing/build-console.ts';
import { showConsole, test } from '../../../testing/console-test.tsx';

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
  revenue: [{ source: 'top_sub', subscriptions: 3, monthlyPence: 59_700 }],
  hours: Array.from({ length: 24 }, (_, hour) => ({
    at: new Date(Date.UTC(2025, 11, 2, hour)).toISOString(),
    accepted: hour,
    permanent: 0,
    willRetry: 0,
  })),
});
const byDay = async () => within(await screen.findByRole('region', { name: 'Leads by day' }));

// Drawings are as wide as their place, and a test's page has no layout.
beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly #tell: ResizeObserverCallback;
      constructor(tell: ResizeObserverCallback) {
        this.#tell = tell;
      }
      observe(): void {
        const contentRect = { top: 0, left: 0, width: 600, height: 133 };
        queueMicrotask(() => this.#tell([{ contentRect } as ResizeObserverEntry], this));
      }
      unobserve(): void {}
      disconnect(): void {}
    },
  );
});

test('each column is a link with its figures, shows them at a pointer or the focus, and leads to its leads', async ({
  api,
  user,
}) => {
  api.answer('GET /api/admin/charts', FIGURES);
  showConsole('/admin-leads?formType=pre_buy');
  const chart = await byDay();
  // The day without a lead has its place too.
  await waitFor(() => expect(chart.getAllByRole('link')).toHaveLength(4));
  const region = screen.getByRole('region', { name: 'Leads by day' });
  const day = chart.getByRole('link', { name: '25 Nov: 60, 37 Pre-Sample and 23 Pre-Buy' });

  await user.hover(day);
  expect(region.textContent).toContain('25 NovPre-Sample 37Pre-Buy 23');
  await user.unhover(day);
  expect(region.textContent).not.toContain('Pre-Sample 37');

  act(() => chart.getByRole('link', { name: /^24 Nov/ }).focus());
  await user.tab();
  expect(document.activeElement).toBe(day);
  expect(region.textContent).toContain('25 NovPre-Sample 37Pre-Buy 23');

  await user.keyboard('{Enter}');
  expect(window.location.search).toBe('?formType=pre_buy&startDate=2025-11-25&endDate=2025-11-25');
});

test('a source leads to its leads', async ({ api, user }) => {
  api.answer('GET /api/admin/charts', FIGURES);
  showConsole();
  const sources = within(await screen.findByRole('region', { name: 'By source' }));

  await user.click(await sources.findByRole('link', { name: /nav_sub/ }));

  expect(window.location.search).toBe('?source=nav_sub');
});

test('the figures are there as tables, and the drawing is in proportion to them', async ({ api, user }) => {
  api.answer('GET /api/admin/charts', FIGURES);
  showConsole('/admin-leads?view=figures');
  await byDay();
  const drawing = screen.getByRole('region', { name: 'Leads by day' });

  await waitFor(() => expect(drawing.querySelectorAll('rect[data-tone="buy"]').length).toBeGreaterThan(2));
  const heights = [...drawing.querySelectorAll('rect[data-tone="buy"]')].map((bar) =>
    Number(bar.getAttribute('height')),
  );
  expect(heights[1]! / heights[0]!).toBeCloseTo(23 / 10, 1);
  expect([...drawing.querySelectorAll('text')].map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['20', '40', '60', '24', '25']),
  );

  await user.click(screen.getByText('Leads by day, as a table'));
  screen.getByRole('row', { name: '25 Nov 2025 37 23' });
  await user.click(screen.getByText('Leads by source, as a table'));
  screen.getByRole('row', { name: 'nav_sub 0 32' });
  await user.click(screen.getByText('Beehiiv’s answers in the last 24 hours, as a table'));
  expect(within(screen.getByRole('table', { name: /answers in the last 24 hours/ })).getAllByRole('row')).toHaveLength(
    25,
  );
  expect(screen.getByRole('region', { name: 'Revenue by source' }).textContent).toContain('£597.00');
});

test('without leads and subscriptions the figures say so', async () => {
  showConsole('/admin-leads?view=figures');

  await screen.findByText(/^No paid subscriptions yet\./);
  screen.getByText('Nothing is waiting.');
});

test('charts of only the newest leads say so', async ({ api }) => {
  api.answer('GET /api/admin/charts', { ...FIGURES, isCapped: true });
  showConsole();

  await screen.findByText('Of the newest 10,000 leads.');
  screen.getByText(/^Newest 10,000 at Beehiiv:/);
});
