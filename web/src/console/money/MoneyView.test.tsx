import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, vi } from 'vitest';
import {
  buildLead,
  buildMoney,
  buildMoneyFigures,
  buildMoneyOutcomes,
} from '../../testing/build-console.ts';
import { buildPerson } from '../../testing/build-people.ts';
import { showConsole, test } from '../../testing/console-test.tsx';

const AT = '2025-12-03T09:31:00Z';
const PERSON = {
  stripeSubscriptionId: 'sub_1',
  email: 'priya@northgate.example',
  name: 'Priya Raman',
  leadId: null,
  stage: 'paying',
  plan: 'annual',
  pence: 17_925,
  at: AT,
  dashboardUrl: 'https://dashboard.stripe.com/test/subscriptions/sub_1',
} as const;

test('without a subscription the view says so', async () => {
  showConsole('/admin-leads?view=money#abandoned');

  await screen.findByText(/^No subscriptions yet\./);
  const abandoned = within(screen.getByRole('region', { name: 'Abandoned checkouts' }));
  abandoned.getByText('No abandoned checkouts.');
  expect(abandoned.queryByText(/copied link/)).toBeNull();
  expect(abandoned.queryByRole('link')).toBeNull();
  await waitFor(() => expect(document.activeElement?.id).toBe('abandoned'));
});

test('a call that fails is described, and can be made again', async ({ api, user, logged }) => {
  api.refuse('GET /api/admin/money', 500, null);
  showConsole('/admin-leads?view=money');
  await screen.findByText(/^The server answered 500\./);
  screen.getByText('Could not load all of Money');
  expect(logged).toHaveBeenCalledWith('Could not load /api/admin/money', expect.any(Error));

  api.answer('GET /api/admin/money', buildMoney());
  await user.click(screen.getByRole('button', { name: 'Try again' }));

  await screen.findByText(/^No subscriptions yet\./);
});

const MONTH = {
  mrrPence: 239_000,
  paidPence: 478_000,
  refundedPence: 23_900,
  lostPence: 0,
  payers: 10,
  newPayers: 2,
  trials: 1,
  churned: 0,
  onList: 20,
  byPlan: [],
  byChannel: [],
};
const UNKNOWN = Object.fromEntries(Object.keys(MONTH).map((name) => [name, null])) as Record<
  keyof typeof MONTH,
  null
>;
/** Twelve months up to December 2025. Nothing is known of January. */
const MONTHS = Array.from({ length: 12 }, (_, n) => ({
  month: `2025-${String(n + 1).padStart(2, '0')}`,
  ...(n === 0 ? UNKNOWN : MONTH),
}));

describe('months', () => {
  beforeEach(() => void vi.setSystemTime('2025-12-18T09:31:00Z'));

  test('months are columns with their figures, say what is not known, and each opens its month', async ({
    api,
    user,
  }) => {
    api.answer('GET /api/admin/money/history', { months: MONTHS, since: '2025-02' });
    api.answer(
      'GET /api/admin/money/figures',
      buildMoneyFigures({ 'renewals-due': { count: 1, pence: 50_000 } }),
    );
    showConsole('/admin-leads?view=money');

    const table = within(await screen.findByRole('table', { name: 'Money by month' }));
    expect(table.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'Jan 2025',
      'Feb',
      'Mar',
      'Apr',
      'May',
      'Jun',
      'Jul',
      'Aug',
      'Sep',
      'Oct',
      'Nov',
      'Dec so far',
    ]);
    expect(table.getByRole('link', { current: true }).getAttribute('aria-label')).toBe(
      'Dec so far 2025',
    );
    const cellsOf = (name: string) =>
      within(table.getByRole('row', { name: new RegExp(`^${name}`) }))
        .getAllByRole('cell')
        .map(({ textContent }) => textContent);
    // Paid, less refunds and lost disputes.
    expect(cellsOf('Money in').slice(0, 2)).toEqual(['?', '4,541']);
    expect(cellsOf('Cancellations').slice(0, 2)).toEqual(['?', '–']);
    expect(cellsOf('Payers at the end').at(-1)).toBe('10');
    screen.getByText('? is not known: recorded since February 2025.');
    expect(table.getByText('£500 expected')).toBeTruthy();
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Chart' }).value).toBe('');
    expect(api.calls('GET /api/admin/money/history').at(-1)?.url.search).toBe('?months=12');

    await user.click(table.getByRole('link', { name: 'Nov 2025' }));

    const november = within(await screen.findByRole('region', { name: 'November 2025' }));
    const others = november.getAllByRole('link').map((link) => link.textContent);
    expect(others.slice(0, 2)).toEqual(['‹ October', 'December ›']);
    expect(
      screen.getByRole('link', { name: 'Accountant’s CSV, November 2025' }).getAttribute('href'),
    ).toBe('/api/admin/money/payments.csv?startDate=2025-11-01&endDate=2025-11-30');
  });

  test('a month of which nothing is known has no sums, and none to compare with', async ({
    api,
    user,
  }) => {
    api.answer('GET /api/admin/money/history', { months: MONTHS, since: '2025-02' });
    api.answer('GET /api/admin/money/figures', buildMoneyFigures({}));
    showConsole('/admin-leads?view=money&startDate=2025-02-01&endDate=2025-02-28');
    const sums = within(await screen.findByRole('table', { name: 'Money in' })).getAllByRole(
      'columnheader',
    );
    expect(sums.map(({ textContent }) => textContent)).toEqual(['February']);
    expect(screen.queryByRole('link', { name: '‹ January' })).toBeNull();

    await user.click(screen.getByRole('link', { name: 'Jan 2025' }));

    await screen.findByText('Not known: nothing was recorded in January 2025.');
    expect(screen.queryByRole('table', { name: 'Money in' })).toBeNull();
    expect(
      screen.queryByRole('region', { name: 'Disputes, failed payments and refunds' }),
    ).toBeNull();
  });

  test('months of an earlier year are shown by choosing that year', async ({ api, user }) => {
    api.answer('GET /api/admin/money/history', { months: MONTHS, since: '2024-05' });
    showConsole('/admin-leads?view=money');

    await user.selectOptions(
      await screen.findByRole('combobox', { name: 'Chart' }),
      await screen.findByText('2024'),
    );

    // January to December of last year, and this year's twelve.
    await waitFor(() =>
      expect(api.calls('GET /api/admin/money/history').at(-1)?.url.search).toBe('?months=24'),
    );
    await screen.findByRole('region', { name: 'December 2024' });
    expect(screen.getByRole('link', { name: '‹ November' }).getAttribute('href')).toContain(
      '&year=2024',
    );
    expect(screen.getByRole('link', { name: 'January ›' }).getAttribute('href')).not.toContain(
      '&year',
    );
    // Who pays now says nothing about then.
    expect(screen.queryByRole('table', { name: 'In MRR now' })).toBeNull();
  });

  test('a month’s sum is compared with the same days of the month before and with that whole month, and each count opens its rows', async ({
    api,
    user,
  }) => {
    api.answer(
      'GET /api/admin/money/figures',
      buildMoneyFigures(
        {
          payments: { count: 30, pence: 890_275 },
          refunded: { count: 1, pence: 23_900 },
          'renewals-due': { count: 19, pence: 446_930 },
          'trials-due': { count: 9, pence: 207_930 },
        },
        {
          leftOut: {
            currencies: [{ currency: 'usd', paidPence: 4_900, refundedPence: 0 }],
            subscriptions: 0,
          },
        },
      ),
    );
    showConsole('/admin-leads?view=money');

    const sum = within(await screen.findByRole('table', { name: 'Money in' }));
    expect(sum.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      '1 to 18 Dec',
      '1 to 18 Nov',
      'All of Nov',
    ]);
    await waitFor(() => expect(sum.getAllByText('£8,663.75')).toHaveLength(3));
    expect(sum.getAllByText('−£239.00')).toHaveLength(3);
    // A zero has no sign, and opens nothing.
    expect(within(sum.getByRole('row', { name: /^Lost disputes/ })).queryByRole('link')).toBeNull();
    expect(sum.getByRole('row', { name: /^Lost disputes/ }).textContent).toBe(
      'Lost disputes–£0.00–£0.00–£0.00',
    );
    screen.getByText('Of the payments, £0.00 is tax. Pounds only; left out: 49.00 USD paid.');
    const asked = new Set(api.calls('GET /api/admin/money/figures').map(({ url }) => url.search));
    expect(asked).toEqual(
      new Set([
        '?startDate=2025-12-01&endDate=2025-12-31',
        '?startDate=2025-11-01&endDate=2025-11-18',
        '?startDate=2025-11-01&endDate=2025-11-30',
      ]),
    );
    const expected = within(screen.getByRole('table', { name: 'Expected by 31 December' }));
    expect(expected.getByRole('row', { name: /^All of December/ }).textContent).toBe(
      'All of December£15,212.35',
    );

    api.answer('GET /api/admin/money/people', {
      people: [{ ...PERSON, pence: 23_900 }],
      nextCursor: null,
      total: { count: 30, pence: 890_275 },
    });
    await user.click(sum.getByRole('link', { name: '30: Payments, 1 to 18 Nov' }));

    const list = within(await screen.findByRole('table', { name: 'Payments' }));
    expect(document.activeElement).toBe(
      screen.getByRole('heading', {
        name: 'Payments 30 payments · 1 November to 18 November 2025',
      }),
    );
    expect(list.getByRole('row', { name: /^Total of 30 payments/ }).textContent).toContain(
      '£8,902.75',
    );
    expect(list.getByRole('link', { name: /^Open in Stripe/ }).getAttribute('href')).toBe(
      PERSON.dashboardUrl,
    );
    expect(api.calls('GET /api/admin/money/people').at(-1)?.url.search).toBe(
      '?startDate=2025-11-01&endDate=2025-11-18&of=payments',
    );
    await user.click(screen.getByRole('link', { name: 'Back to all figures' }));
    await screen.findByRole('table', { name: 'Money in' });
  });

  test('reversed dates in the address are named, and beside their field', async ({ user }) => {
    showConsole('/admin-leads?view=money&startDate=2025-11-11&endDate=2025-11-05');

    await screen.findByText('The end date is before the start date. Both are left out.');
    await screen.findByRole('region', { name: 'December 2025' });
    await user.click(await screen.findByRole('button', { name: 'Other dates…' }));

    screen.getByText('The end date is before the start date. Both are left out.');
    expect(screen.getByLabelText('End Date')).toHaveProperty('value', '2025-11-05');
  });

  test('the people who pay now are listed by plan and price, and each opens those who pay it', async ({
    api,
    user,
  }) => {
    api.answer(
      'GET /api/admin/money',
      buildMoney({
        prices: [
          { plan: 'monthly', price: 23_900, count: 42, pence: 1_003_800 },
          { plan: 'monthly', price: 20_315, count: 8, pence: 162_520 },
          { plan: 'annual', price: 215_100, count: 8, pence: 143_400 },
        ],
        mrr: { count: 58, pence: 1_309_720 },
        stages: { ...buildMoney().stages, dunning: 1 },
      }),
    );
    showConsole('/admin-leads?view=money');

    const payers = within(await screen.findByRole('table', { name: 'In MRR now' }));
    expect(payers.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
      'Monthly, £239.00',
      'Monthly less 15%, £203.15',
      'Yearly, £2,151.00',
      'Total',
    ]);
    expect(payers.getByRole('row', { name: /^Total/ }).textContent).toBe('Total58£13,097.20');
    const answer = { people: [PERSON], nextCursor: null, total: { count: 8, pence: 162_520 } };
    api.answer('GET /api/admin/money/people', answer);
    screen.getByText(/first payment Stripe still retries; a payer has paid at least once\./);
    await user.click(payers.getByRole('link', { name: '8: Monthly less 15%, £203.15' }));

    await screen.findByRole('heading', {
      name: 'Monthly recurring revenue (MRR) 8 subscriptions · Monthly less 15%, £203.15',
    });
    const { searchParams } = api.calls('GET /api/admin/money/people').at(-1)!.url;
    expect([searchParams.get('of'), searchParams.get('plan'), searchParams.get('price')]).toEqual([
      'mrr',
      'monthly',
      '20315',
    ]);
    await user.click(screen.getByRole('link', { name: 'Back to all figures' }));
    api.answer('GET /api/admin/money/people', {
      people: [],
      nextCursor: null,
      total: { count: 0, pence: 0 },
    });
    await user.click(await screen.findByRole('link', { name: '1 payment failed' }));
    await screen.findByText('No subscription is at this stage.');
    await user.click(screen.getByRole('link', { name: 'Back to all figures' }));
    await user.click(await screen.findByRole('link', { name: 'Nobody' }));
    await screen.findByRole('button', { name: 'Give access…' });
  });

  test('the view says why people left, how failed cards ended, and where the money came from', async ({
    api,
  }) => {
    const source = { returnedPence: 0 };
    const figures = {
      cancelled: { count: 2, pence: 41_825 },
      'trials-ended': { count: 8, pence: 0 },
      'trials-cancelled': { count: 1, pence: 0 },
      'cards-recovered': { count: 2, pence: 47_800 },
      'cards-lost': { count: 1, pence: 23_900 },
      'cards-waiting': { count: 1, pence: 20_315 },
    };
    api.answer('GET /api/admin/money/figures', buildMoneyFigures(figures));
    api.answer(
      'GET /api/admin/money/outcomes',
      buildMoneyOutcomes({
        reasons: [
          { reason: 'too_expensive', count: 2 },
          { reason: null, count: 1 },
        ],
        trialReasons: [{ reason: null, count: 1 }],
        trials: { ended: 8, becamePayers: 1 },
        channels: [{ ...source, name: 'Google', paidPence: 23_900, returnedPence: 100 }],
        buttons: [{ ...source, name: 'top_sub', paidPence: 23_900 }],
      }),
    );
    showConsole('/admin-leads?view=money');

    const section = within(await screen.findByRole('region', { name: 'Came and left' }));
    const google = await section.findByRole('row', { name: /^Google/ });
    expect(google.textContent).toBe('Google£239.00−£1.00');
    expect(section.getByRole('row', { name: /^Top of the page/ }).textContent).toBe(
      'Top of the page£239.00–',
    );
    expect(section.getByText(/\(£478\.00\)/).textContent).toBe(
      '2 recovered (£478.00), 1 lost (£239.00), 1 waiting now (£203.15)',
    );
    expect(section.getByText(/: gave no reason$/).textContent).toBe('1: gave no reason');
    const links = ['8', '1', '2 recovered', '1 lost', '1 waiting now'].map((name) =>
      section.getByRole('link', { name }).getAttribute('href'),
    );
    const lists = Object.keys(figures).slice(1);
    expect(links).toEqual(lists.map((of) => expect.stringMatching(`people=${of}$`)));
    expect(
      section.getByText(/, −£418\.25 MRR: 2 too expensive, 1 gave no reason$/).textContent,
    ).toMatch(/^2,/);
  });
});

describe('the rows of a figure', () => {
  test('a figure’s people at a stage have its date and their price', async ({ api }) => {
    const trial = { ...PERSON, stage: 'trial' as const, plan: 'monthly' as const, pence: 20_315 };
    api.answer('GET /api/admin/money/people', {
      people: [trial],
      nextCursor: null,
      total: { count: 1, pence: 20_315 },
    });
    showConsole('/admin-leads?view=money&people=trial');

    const table = within(await screen.findByRole('table', { name: 'In trial' }));
    expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Person',
      'Stage',
      'Plan',
      'Stripe',
      'Trial ends',
      'Price',
    ]);
    screen.getByRole('heading', { name: 'In trial 1 subscription' });
    expect(
      table.getByRole('row', { name: /Priya/ }).textContent?.replaceAll('\u00a0', ' '),
    ).toContain('£203.15 a month');
    table.getByRole('row', { name: 'Total of 1 subscription' });
  });

  test('a figure’s people open their page', async ({ api, user }) => {
    const lead = buildLead();
    api.answer('GET /api/admin/leads/:id/person', buildPerson(lead));
    const people = [{ ...PERSON, leadId: lead.id }];
    api.answer('GET /api/admin/money/people', {
      people,
      nextCursor: null,
      total: { count: 1, pence: 17_925 },
    });
    showConsole('/admin-leads?view=money&people=mrr');

    const table = within(
      await screen.findByRole('table', { name: 'Monthly recurring revenue (MRR)' }),
    );
    expect(table.getByRole('rowheader', { name: /^Priya Raman/ }).textContent).toBe(
      'Priya Ramanpriya@northgate.example',
    );
    const link = table.getByRole('link', { name: 'Priya Raman' }).getAttribute('href');
    expect(link).toContain(`view=person&id=${lead.id}`);

    table.getByText('Yearly');
    await user.click(table.getByRole('link', { name: 'Priya Raman' }));

    await screen.findByRole('region', { name: 'What this person receives' });
  });

  test('the view says so if a figure’s people cannot be loaded', async ({ api, logged }) => {
    api.refuse('GET /api/admin/money/people', 500, null);
    showConsole('/admin-leads?view=money&people=mrr');

    await screen.findByText(/^The server answered 500\./);
    expect(logged).toHaveBeenCalled();
  });
});
