import { screen, within } from '@testing-library/react';
import { beforeEach, expect, vi } from 'vitest';
import { findWithin, showConsole, test } from '../../testing/console-test.tsx';
import { buildMonths } from '../../testing/build-console.ts';
import { buildOverview } from '../../testing/build-overview.ts';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2025-12-18T09:31:00Z') });
});

const cell = (name: string) => screen.getByText(name, { selector: 'dt, dt *' }).closest('div');
const hrefOf = (of: ReturnType<typeof within>, name: string | RegExp) =>
  of.getByRole('link', { name }).getAttribute('href');

const DRAWN = buildOverview();

test('the month is shown beside the whole last month, and each figure opens its rows', async () => {
  showConsole('/admin-leads?view=overview');

  const month = await findWithin('region', /^December so far/);

  screen.getByText('Thursday 18 December 2025');
  expect(cell('Money in')?.textContent).toBe(
    'Money in£11,000.50£10,000.50 in November£11,239.50 paid, less £239 refunded',
  );
  expect(cell('MRR')?.textContent).toContain('MRR£2,390.11£2,390.10 at the end of November');
  expect(cell('New payers')?.textContent).toBe('New payers22 in November');
  expect(cell('Payers who left')?.textContent).toBe('Payers who left00 in November');
  expect(cell('Payers with access')?.textContent).toBe(
    'Payers with access2120 at the end of November',
  );
  const days = 'startDate=2025-12-01&endDate=2025-12-31';
  expect(hrefOf(month, 'Money in')).toContain(`${days}&people=money-in`);
  expect(hrefOf(month, '£239 refunded')).toContain(`${days}&people=refunded`);
  expect(hrefOf(month, 'New payers')).toContain(`${days}&people=new-payers`);
  expect(hrefOf(month, 'Payers who left')).toContain(`${days}&people=ended-payers`);
  expect(hrefOf(month, 'MRR')).toBe('/admin-leads?view=money&people=mrr');
  expect(hrefOf(month, 'Payers with access')).toContain('view=people&group=payers');
});

test('money in shows what banks hold, which opens its rows', async ({ api }) => {
  const months = buildMonths();
  Object.assign(months.at(-1)!, { lost: { pence: 215_100, currency: 'gbp' } });
  api.answer('GET /api/admin/money/history', { months, since: '2025-02' });
  showConsole('/admin-leads?view=overview');

  const month = await findWithin('region', /^December so far/);

  expect(cell('Money in')?.textContent).toBe(
    'Money in£11,000.50£10,000.50 in November' +
      '£11,239.50 paid, less £239 refunded, less £2,151 held by banks',
  );
  expect(hrefOf(month, '£2,151 held by banks')).toContain(
    'startDate=2025-12-01&endDate=2025-12-31&people=lost',
  );
});

test('the next seven days show the charges and the date of the next issue', async ({ api }) => {
  const week = { ...DRAWN.week, trials: 1, renewals: 21, pence: 501_900 };
  api.answer('GET /api/admin/overview', { ...DRAWN, week });
  showConsole('/admin-leads?view=overview');
  const next = await screen.findByRole('region', { name: /^Next seven days/ });

  within(next).getByText('19 Dec to 25 Dec, if every trial stays');
  expect(next.querySelector('p')?.textContent).toBe(
    '£5,019.00 from 1 trial that ends and 21 renewals. Issue #250: Tuesday 23 December, 9AM GMT.',
  );
});

test('each step from visitor to payer has a bar, and each part opens its people', async ({
  api,
}) => {
  const steps = { people: 1_412, checkouts: 168, trials: 49, paying: 30, monthlyPence: 681_200 };
  const row = { people: 486, checkouts: 71, trials: 22, paying: 14, monthlyPence: 321_500 };
  const none = { people: 65, checkouts: 6, trials: 0, paying: 0, monthlyPence: 0 };
  const funnel = {
    ...DRAWN.funnel,
    ...steps,
    visits: 20_171,
    inTrial: 9,
    channels: [
      { name: 'LinkedIn', ...row, visits: 8_000 },
      { name: 'other', ...none, visits: 0 },
    ],
    buttons: [
      { name: 'top_sub', ...row, visits: null },
      { name: '', ...none, visits: null },
    ],
    campaigns: [
      { name: 'Winter sale', ...row, visits: 0 },
      { name: '', ...none, visits: 0 },
    ],
  };
  api.answer('GET /api/admin/overview', { ...DRAWN, funnel });
  showConsole('/admin-leads?view=overview');
  const part = await findWithin('region', /^From visitor to payer 20 September to/);

  expect(cell('Visits')?.textContent).toMatch(/^Visits20,171/);
  expect(cell('Left an email')?.textContent).toBe('Left an email1,4127% of visits, 15.7 a day');
  expect(cell('Opened a checkout')?.textContent).toBe('Opened a checkout16812% of people');
  expect(cell('Began a trial')?.textContent).toBe('Began a trial4929% of checkouts');
  expect(cell('Paid from these visits')?.textContent).toBe(
    'Paid from these visits3061% of trials; 9 not yet, 10 left',
  );
  const bars = [
    ...(cell('Paid from these visits')?.querySelectorAll<HTMLElement>('[aria-hidden] > span') ??
      []),
  ];
  expect(bars.map(({ style }) => Math.round(Number.parseFloat(style.width)))).toEqual([61]);
  const days = 'startDate=2025-09-20&endDate=2025-12-18';
  expect(hrefOf(part, '10 left')).toContain(`${days}&funnel=left`);
  const channels = within(part.getByRole('table', { name: 'Where they came from' }));
  expect(channels.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'Where they came fromVisitsPeopleCheckoutTrialPaidPaid, %MRR',
    'LinkedIn8,0004867122142.9£3,215.00',
    'Other–656––––',
    'All20,1711,41216849302.1£6,812.00',
  ]);
  expect(hrefOf(channels, '14: Paid, LinkedIn')).toContain(
    `${days}&funnel=paying%3Achannel%3DLinkedIn`,
  );
  expect(hrefOf(channels, '65: People, Other')).toContain('funnel=people%3Achannel%3Dother');
  const buttons = within(part.getByRole('table', { name: 'Button they pressed' }));
  buttons.getByRole('rowheader', { name: 'Top of the page' });
  buttons.getByRole('rowheader', { name: 'Not known' });
  expect(hrefOf(buttons, '6: Checkout, Not known')).toContain('funnel=checkout%3Abutton%3D');
  const campaigns = within(part.getByRole('table', { name: 'Campaign' }));
  expect(hrefOf(campaigns, '14: Paid, Winter sale')).toContain('campaign%3DWinter+sale');
  campaigns.getByRole('rowheader', { name: 'No campaign' });
});

test('the funnel says where a longer period cuts, and keeps a date that is being typed', async ({
  api,
  user,
}) => {
  const { funnel } = DRAWN;
  api.answer('GET /api/admin/overview', ({ url }) => {
    const isYear = url.searchParams.get('startDate') === '2024-12-19';
    return {
      ...DRAWN,
      funnel: { ...funnel, countedSince: isYear ? '2025-12-10T08:30:00Z' : null },
    };
  });
  showConsole('/admin-leads?view=overview');
  const periods = await findWithin('navigation', 'Dates');
  expect(screen.queryByText(/^Only the newest/)).toBeNull();

  await user.click(periods.getByRole('link', { name: 'A year' }));
  await screen.findByText(/^Only the newest 10,000 leads of these days are counted: those since/);
  api.hang('GET /api/admin/overview');
  await user.click(periods.getByRole('link', { name: '30 days' }));
  // A late answer replaces no date that is being typed.
  expect(screen.getByLabelText('Start Date')).toHaveProperty('value', '2025-11-19');
});
