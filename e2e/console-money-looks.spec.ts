import { randomUUID } from 'node:crypto';

import { expect } from '@playwright/test';
import { MONTH_FIGURES } from '@site/schema/calls/money-figures';
import type { MoneyAnswer, MoneyMonth } from '@site/schema/calls/money';
import type { FigureName } from '@site/schema/calls/money-figures';

import { findBarriers } from './support/barriers.ts';
import { chooseInAccountMenu } from './support/console.ts';
import { takePictures } from './support/pictures.ts';
import { test } from './support/system.fixture.ts';

test('the money view shows every kind of item with long emails and large sums', async ({
  operatorPage: page,
}) => {
  const leadId = crypto.randomUUID();
  const long = `friedrich-wilhelm.von.hohenlohe.schillingsfuerst@${'unternehmensbeteiligung'.repeat(3)}.example`;
  const at = '2025-12-03T09:31:00Z';
  const money: MoneyAnswer = {
    stages: {
      trial: 12,
      paying: 10_000,
      ending: 3,
      dunning: 4,
      suspended: 0,
      ended: 2_341,
      incomplete: 1,
    },
    prices: [
      { plan: 'monthly', price: 23_900, count: 9_004, pence: 215_195_600, currency: 'gbp' },
      { plan: 'annual', price: 215_100, count: 1_000, pence: 17_925_000, currency: 'gbp' },
    ],
    mrr: { count: 10_004, pence: 233_120_600, currency: 'gbp' },
    dashboardUrl: 'https://dashboard.stripe.com/test',
  };
  const amount = { pence: 590_091_000, currency: 'gbp' };
  const figures = Object.fromEntries(
    MONTH_FIGURES.map(({ name, shows }) => [name, shows === 'pence' ? amount : 10_004]),
  ) as Pick<MoneyMonth, FigureName>;
  const months: MoneyMonth[] = Array.from({ length: 12 }, (_, n) => ({
    month: `2025-${String(n + 1).padStart(2, '0')}`,
    ...figures,
    newPayers: 1_234,
    endedPayers: 0,
    afterFees: amount,
    leftOut: [],
  }));
  const checkout = {
    id: randomUUID(),
    stripeCheckoutSessionId: 'cs_1',
    hindrance: null,
    isOpen: false,
    leadId,
    email: long,
    name: 'Lucy Mackenzie',
    startedAt: at,
    before: [at],
    plan: 'annual',
    pence: 215_100,
    channel: 'Partner letter',
    agreedAt: at,
    recoveryUrl: 'https://stripe.example/r/1',
    recoveryEndsAt: '2030-01-15T09:31:00Z',
    contactedAt: null,
  };
  const abandoned = {
    isCapped: true,
    people: [
      checkout,
      {
        ...checkout,
        id: randomUUID(),
        stripeCheckoutSessionId: 'cs_2',
        email: null,
        name: null,
        leadId: null,
        agreedAt: null,
        contactedAt: at,
      },
    ],
  };
  await page.route('**/api/admin/money', (route) => route.fulfill({ json: money }));
  await page.route('**/api/admin/money/history*', (route) =>
    route.fulfill({ json: { months, since: '2024-01' } }),
  );
  await page.route('**/api/admin/checkouts/abandoned*', (route) =>
    route.fulfill({ json: abandoned }),
  );
  const call = {
    ...checkout,
    kind: 'unpaid',
    text: 'Opened a checkout, and has not paid',
    since: at,
    phone: '+44 20 7946 0123',
    invoiceId: null,
  };
  await page.route('**/api/admin/money/calls', (route) =>
    route.fulfill({ json: { isCapped: true, people: [{ ...call, id: randomUUID() }] } }),
  );
  await page.goto('/admin-leads?view=money');
  await page.getByText('Earlier', { exact: true }).click();

  await expect(page.getByRole('row', { name: /^Total/ })).toContainText('£2,331,206.00');
  for (const target of await page.getByRole('main').getByRole('table').getByRole('link').all())
    expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  expect(await findBarriers(page)).toEqual([]);
  await takePictures(page, 'console-money');
  await page.emulateMedia({ media: 'print' });
  await page.emulateMedia({ media: null });
  await page.setViewportSize({ width: 360, height: 800 });
  const large = await page.addStyleTag({ content: ':root { font-size: 200% }' });
  const dragged = await page
    .getByRole('table')
    .evaluateAll((tables) =>
      tables
        .filter(({ parentElement: box }) => box && box.scrollWidth > box.clientWidth)
        .map((table) => table.getAttribute('aria-label')),
    );
  // Twelve months scroll sideways, the last first.
  expect(dragged, 'with text of 200 %').toEqual(['Money by month']);
  await large.evaluate((style) => style.parentElement?.removeChild(style));
  // The column of names covers the months from the left, so a year in view shows its month too.
  await page.setViewportSize({ width: 768, height: 1024 });
  const [month, year] = await page.getByRole('link', { name: 'Jan 2025' }).evaluate((link) =>
    [...link.childNodes].map((node) => {
      const text = document.createRange();
      text.selectNodeContents(node);
      const { left, right } = text.getBoundingClientRect();
      return { left, right };
    }),
  );
  expect(month!.right).toBeCloseTo(year!.right, 0);
  expect(month!.left).toBeGreaterThan(year!.left);
  await page.setViewportSize({ width: 1440, height: 900 });
  await chooseInAccountMenu(page, 'Dark theme');
  expect(await findBarriers(page)).toEqual([]);
});
