import { screen, within } from '@testing-library/react';
import { beforeEach, expect, vi } from 'vitest';
import { showConsole, test } from '../../testing/console-test.tsx';
import { buildOverview } from '../../testing/build-overview.ts';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2025-12-18T09:31:00Z') });
});

const cell = (name: string) => screen.getByRole('link', { name }).closest('div');
const hrefOf = (of: ReturnType<typeof within>, name: string | RegExp) =>
  of.getByRole('link', { name }).getAttribute('href');

/** The figures as drawn. */
const DRAWN = buildOverview({
  month: {
    startDate: '2025-12-01',
    endDate: '2025-12-18',
    paidPence: 890_300,
    heldPence: 215_100,
    refundedPence: 23_900,
    lostPence: 0,
    newPayers: 11,
    cancelled: 3,
  },
  monthBefore: {
    startDate: '2025-11-01',
    endDate: '2025-11-18',
    paidPence: 774_400,
    heldPence: 0,
    refundedPence: 0,
    lostPence: 0,
    newPayers: 6,
    cancelled: 3,
  },
  reasons: [
    { reason: 'too_expensive', count: 1 },
    { reason: 'unused', count: 1 },
    { reason: null, count: 1 },
  ],
  mrr: { pence: 1_309_700, count: 58 },
  list: { onList: 6_318, left: 50 },
  atMonthStart: { mrrPence: 1_128_100, onList: 5_916 },
  trials: { ended: 40, becamePayers: 29 },
});

test('the month is shown beside the same days of the last one, and each figure opens what it counts', async ({
  api,
}) => {
  api.answer('GET /api/admin/overview', DRAWN);
  showConsole('/admin-leads?view=overview');

  const month = await screen.findByRole('region', {
    name: /^December so far 1 to 18 December, against 1 to 18 Nov/,
  });

  screen.getByText('Thursday 18 December 2025');
  expect(cell('Money in')?.textContent).toBe(
    'Money in£8,664+£920 on November’s £7,744£8,903 paid, £239 refunded£2,151 of it disputed, held by Stripe',
  );
  expect(cell('MRR')?.textContent).toContain(
    'MRR£13,097+£1,816 since 30 NovemberMonthly recurring revenue: what 58 subscriptions',
  );
  expect(cell('New payers')?.textContent).toBe('New payers11+5 on November’s 6');
  expect(cell('Cancellations')?.textContent).toBe(
    'Cancellations3no change on November’s 31 too expensive, 1 did not use it, 1 gave no reason',
  );
  expect(cell('On the list')?.textContent).toBe(
    'On the list6,318+402 since 30 November452 joined, 50 left',
  );
  const days = 'startDate=2025-12-01&endDate=2025-12-18';
  expect(hrefOf(within(month), '£8,903 paid')).toContain(`${days}&people=payments`);
  expect(hrefOf(within(month), '£239 refunded')).toContain(`${days}&people=refunded`);
  expect(hrefOf(within(month), 'New payers')).toContain(`${days}&people=new-payers`);
  expect(hrefOf(within(month), 'Cancellations')).toContain(`${days}&people=cancelled`);
  expect(hrefOf(within(month), 'On the list')).toBe('/admin-leads?view=people&state=on-list');
});

test('a change is the difference of the whole pounds that are shown', async ({ api }) => {
  const [mrr, atMonthStart] = [
    { ...DRAWN.mrr, pence: 175_665 },
    { ...DRAWN.atMonthStart, mrrPence: 137_449 },
  ];
  api.answer('GET /api/admin/overview', { ...DRAWN, mrr, atMonthStart });
  showConsole('/admin-leads?view=overview');

  await screen.findByText('+£383');
});

test('a lost dispute is taken off the money that came in', async ({ api }) => {
  api.answer('GET /api/admin/overview', { ...DRAWN, month: { ...DRAWN.month, lostPence: 50_000 } });
  showConsole('/admin-leads?view=overview');

  const link = await screen.findByRole('link', { name: '£500 lost in disputes' });

  expect(cell('Money in')?.textContent).toBe(
    'Money in£8,164+£420 on November’s £7,744£8,903 paid, £239 refunded, £500 lost in disputes£2,151 of it disputed, held by Stripe',
  );
  expect(link.getAttribute('href')).toContain(
    'startDate=2025-12-01&endDate=2025-12-18&people=lost',
  );
});

test('the next seven days say what is charged on each, and when the next issue is', async ({
  api,
}) => {
  const week = DRAWN.week.map((day, n) => ({
    ...day,
    trials: n % 2,
    renewals: n,
    pence: 23_900 * n,
  }));
  api.answer('GET /api/admin/overview', { ...DRAWN, week });
  showConsole('/admin-leads?view=overview');
  const next = within(
    await screen.findByRole('region', {
      name: /^Next seven days if every trial stays; lately 73 of 100 trials do\./,
    }),
  );

  expect(next.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Thu 18, today',
    'Fri 19',
    'Sat 20',
    'Sun 21',
    'Mon 22',
    '#250 Tue 23',
    'Wed 24',
    'Seven days',
  ]);
  next.getByText('Tuesday 23 December, 9AM GMT', { exact: false });
  const rows = next.getAllByRole('row').map((row) =>
    within(row)
      .queryAllByRole('cell')
      .map(({ textContent }) => textContent),
  );
  expect(rows.slice(1)).toEqual([
    ['–', '1', '–', '1', '–', '1', '–', '3'],
    ['–', '1', '2', '3', '4', '5', '6', '21'],
    ['–', '£239.00', '£478.00', '£717.00', '£956.00', '£1,195.00', '£1,434.00', '£5,019.00'],
  ]);
  expect(hrefOf(next, '2 renewals, Sat 20')).toContain(
    'startDate=2025-12-20&endDate=2025-12-20&people=renewals-due',
  );
  expect(hrefOf(next, '3 trials end, seven days')).toContain(
    'startDate=2025-12-18&endDate=2025-12-24&people=trials-due',
  );
});

test('the way from visitor to payer has a bar for each step, and opens the people of each part', async ({
  api,
}) => {
  const steps = { people: 1_412, checkouts: 168, trials: 49, paying: 30, monthlyPence: 681_200 };
  const row = { people: 486, checkouts: 71, trials: 22, paying: 14, monthlyPence: 321_500 };
  const none = { people: 65, checkouts: 6, trials: 0, paying: 0, monthlyPence: 0 };
  const funnel = {
    ...DRAWN.funnel,
    ...steps,
    inTrial: 9,
    channels: [
      { name: 'LinkedIn', ...row },
      { name: 'other', ...none },
    ],
    buttons: [
      { name: 'top_sub', ...row },
      { name: '', ...none },
    ],
  };
  api.answer('GET /api/admin/overview', { ...DRAWN, funnel });
  showConsole('/admin-leads?view=overview');
  const part = within(
    await screen.findByRole('region', {
      name: /^From visitor to payer the last 90 days, 20 September to/,
    }),
  );

  expect(cell('Left an address')?.textContent).toBe('Left an address1,41215.7 a day');
  expect(cell('Opened a checkout')?.textContent).toBe('Opened a checkout16812 of 100 people');
  expect(cell('Began a trial')?.textContent).toBe('Began a trial4929 of 100 checkouts');
  expect(cell('Paying')?.textContent).toBe(
    'Paying3061 of 100 trials; 9 have not paid yet, 10 left',
  );
  const bars = [...(cell('Paying')?.querySelectorAll<HTMLElement>('[aria-hidden] > span') ?? [])];
  expect(bars.map(({ style }) => Math.round(Number.parseFloat(style.width)))).toEqual([61, 18]);
  const days = 'startDate=2025-09-20&endDate=2025-12-18';
  expect(hrefOf(part, '10 left')).toContain(`${days}&funnel=left`);
  const channels = within(part.getByRole('table', { name: 'Where they came from' }));
  expect(channels.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'Where they came fromPeopleCheckoutTrialPayingOf 100Adds a month',
    'LinkedIn4867122142.9£3,215.00',
    'Other656––––',
    'All1,41216849302.1£6,812.00',
  ]);
  expect(hrefOf(channels, '14: Paying, LinkedIn')).toContain(
    `${days}&funnel=paying%3Achannel%3DLinkedIn`,
  );
  expect(hrefOf(channels, '65: People, Other')).toContain('funnel=people%3Achannel%3Dother');
  const buttons = within(part.getByRole('table', { name: 'Button they pressed' }));
  buttons.getByRole('rowheader', { name: 'Top of the page' });
  buttons.getByRole('rowheader', { name: 'Not known' });
  expect(hrefOf(buttons, '6: Checkout, Not known')).toContain('funnel=checkout%3Abutton%3D');
});

test('figures that cannot be loaded leave what needs attention where it is', async ({
  api,
  user,
  logged,
}) => {
  api.refuse('GET /api/admin/overview', 500, null);
  showConsole('/admin-leads?view=overview');

  await screen.findByText('Could not load the figures');
  screen.getByText('Nothing needs attention.');
  api.answer('GET /api/admin/overview', DRAWN);
  await user.click(screen.getByRole('button', { name: 'Try again' }));

  await screen.findByRole('region', { name: /^December so far/ });
  expect(logged).toHaveBeenCalled();
});
