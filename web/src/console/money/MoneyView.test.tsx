import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, vi } from 'vitest';
import { buildDetail, buildId, buildLead, buildMoney, buildMoneyFigures } from '../../testing/build-console.ts';
import { haveLeads, showConsole, test } from '../../testing/console-test.tsx';

const AT = '2025-12-03T09:31:00Z';
const region = (name: string) => within(screen.getByRole('region', { name }));

test('without a subscription the view says so', async () => {
  showConsole('/admin-leads?view=money');

  await screen.findByText('No subscriptions yet.');
  screen.getByText('No abandoned checkouts.');
});

test('abandoned checkouts and waiting tiers have their place', async ({ api }) => {
  const leadId = buildId();
  const checkout = {
    id: 'cs_1',
    leadId,
    email: 'gone@northgate.example',
    startedAt: AT,
    recoveryUrl: null,
    recoveryEndsAt: null,
  };
  const figures = {
    subscriptions: 12_345,
    paidPence: 295_045_500,
    returnedPence: 1_234_500,
    lostPence: 0,
    monthlyPence: 100,
  };
  api.answer(
    'GET /api/admin/money',
    buildMoney({
      abandoned: {
        total: 10_000,
        isCapped: true,
        checkouts: [checkout, { ...checkout, id: 'cs_2', leadId: null, email: null }],
      },
      tiersWaiting: 2,
      stages: { ...buildMoney().stages, paying: 12_345 },
    }),
  );
  api.answer(
    'GET /api/admin/money/figures',
    buildMoneyFigures({
      revenue: [
        { source: 'bottom_sub', campaign: 'urgency_subscription', ...figures },
        { source: null, campaign: null, ...figures, paidPence: 0 },
      ],
    }),
  );
  showConsole('/admin-leads?view=money');

  await screen.findByRole('region', { name: 'Abandoned checkouts' });
  expect(region('Abandoned checkouts').getByRole('link', { name: 'Open in Stripe: cs_1' }).getAttribute('href')).toBe(
    'https://dashboard.stripe.com/test/checkout/sessions/cs_1',
  );
  expect(region('Abandoned checkouts').getAllByRole('row')).toHaveLength(3);
  screen.getByText(/^2 subscribers are waiting for a change of tier/);
  expect((await screen.findByRole('row', { name: /^Total/ })).textContent).toContain('£24,690.00');
});

test('a call that fails is described, and can be made again', async ({ api, user, logged }) => {
  api.refuse('GET /api/admin/money', 500, null);
  showConsole('/admin-leads?view=money');
  await screen.findByText(/^The server answered 500\./);
  expect(logged).toHaveBeenCalledWith('Could not load /api/admin/money', expect.any(Error));

  api.answer('GET /api/admin/money', buildMoney());
  await user.click(screen.getByRole('button', { name: 'Try now' }));

  await screen.findByText('No subscriptions yet.');
});

describe('figures', () => {
  const PERSON = {
    stripeSubscriptionId: 'sub_1',
    email: 'priya@northgate.example',
    name: 'Priya Raman',
    leadId: null,
    stage: 'ended',
    plan: 'annual',
    pence: 17_925,
    at: AT,
    dashboardUrl: 'https://dashboard.stripe.com/test/subscriptions/sub_1',
  } as const;
  const figure = (name: string) => {
    const term = screen.getByRole('link', { name });
    return term.closest('div')?.textContent;
  };

  test('each is of the subscriptions, or of the chosen period, and opens its people', async ({ api, user }) => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2025-12-03T09:31:00Z') });
    api.answer('GET /api/admin/money', buildMoney({ stages: { ...buildMoney().stages, dunning: 2 } }));
    api.answer(
      'GET /api/admin/money/figures',
      buildMoneyFigures({
        mrr: { count: 8, pence: 112_440 },
        trialsEnding: { count: 2, pence: 23_900 },
        expected: { count: 1, pence: 20_315 },
        churned: { count: 2, pence: 41_825 },
        payers: { atStart: 3, joined: 2 },
        refunded: { count: 1, pence: 3_900 },
      }),
    );
    showConsole('/admin-leads?view=money');

    await screen.findByRole('link', { name: 'MRR' });
    screen.getByText(/^Nothing was paid in this period\./);
    expect(figure('MRR')).toBe('MRR£1,124.408 subscriptions');
    expect(figure('Trials ending in 7 days')).toBe('Trials ending in 7 days2£239 if they stay');
    expect(figure('Expected in 30 days')).toBe('Expected in 30 days£203.151 charge');
    expect(figure('Churn')).toBe('Churn40%2 of 5 payers, −£418.25 MRR');
    expect(figure('Refunds')).toBe('Refunds£391 refund');
    // The period stands beside what it governs, and a zero opens nothing.
    expect(screen.getByRole('region', { name: 'Revenue and churn' }).textContent).toContain('last 30 days');
    expect(region('Revenue and churn').getByRole('link', { name: '30 days' }).getAttribute('aria-current')).toBe(
      'true',
    );
    expect(screen.queryByRole('link', { name: 'In trial' })).toBeNull();
    expect(api.calls('GET /api/admin/money/figures').at(-1)?.url.search).toBe(
      '?startDate=2025-11-04&endDate=2025-12-03',
    );

    const others = screen.getByRole('button', { name: 'Other dates' });
    expect(others.getAttribute('aria-current')).toBeNull();
    await user.click(others);
    await user.clear(screen.getByLabelText('Start Date'));
    await user.type(screen.getByLabelText('Start Date'), '2025-11-01');
    await user.click(screen.getByRole('button', { name: 'Apply Filters' }));
    await waitFor(() =>
      expect(api.calls('GET /api/admin/money/figures').at(-1)?.url.search).toBe(
        '?startDate=2025-11-01&endDate=2025-12-03',
      ),
    );
    expect(others.getAttribute('aria-current')).toBe('true');
    expect(region('Revenue and churn').getByRole('link', { name: '30 days' }).getAttribute('aria-current')).toBeNull();

    await user.click(screen.getByRole('link', { name: '90 days' }));
    await waitFor(() =>
      expect(api.calls('GET /api/admin/money/figures').at(-1)?.url.search).toBe(
        '?startDate=2025-09-05&endDate=2025-12-03',
      ),
    );
    api.answer('GET /api/admin/money/people', { people: [PERSON], nextCursor: null, total: null });
    await user.click(screen.getByRole('link', { name: 'Churn' }));

    const table = within(await screen.findByRole('table', { name: 'Churn' }));
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: /^Churn 2, last 90 days/ }));
    expect(table.getByRole('row', { name: /priya/ }).textContent).toContain('£179.25');
    expect(table.getByRole('link', { name: /^Open in Stripe/ }).getAttribute('href')).toBe(PERSON.dashboardUrl);
    expect(api.calls('GET /api/admin/money/people').at(-1)?.url.search).toBe(
      '?startDate=2025-09-05&endDate=2025-12-03&of=churned',
    );

    await user.click(screen.getByRole('link', { name: 'Back to all figures' }));
    api.answer('GET /api/admin/money/people', { people: [], nextCursor: null, total: null });
    await user.click(await screen.findByRole('link', { name: 'Payment failed' }));
    await screen.findByText('No subscription is at this stage.');
  });

  test('what was paid, and each source of it, opens its payers, with the total that was pressed', async ({
    api,
    user,
  }) => {
    const none = { subscriptions: 0, paidPence: 0, returnedPence: 0, lostPence: 0, monthlyPence: 0 };
    api.answer('GET /api/admin/money', buildMoney());
    api.answer(
      'GET /api/admin/money/figures',
      buildMoneyFigures({
        paid: { count: 3, pence: 71_700 },
        refunded: { count: 1, pence: 200 },
        mrr: { count: 2, pence: 24_000 },
        revenue: [
          { ...none, source: 'top_sub', campaign: null, subscriptions: 2, paidPence: 47_800, monthlyPence: 100 },
          { ...none, source: 'nav_sub', campaign: 'spring', returnedPence: 200, monthlyPence: 23_900 },
          {
            ...none,
            source: null,
            campaign: null,
            subscriptions: 1,
            paidPence: 23_900,
            returnedPence: 900,
            lostPence: 900,
          },
        ],
      }),
    );
    const sumUp = (total: { count: number; pence: number } | null) =>
      api.answer('GET /api/admin/money/people', {
        people: [{ ...PERSON, stage: 'paying' }],
        nextCursor: null,
        total,
      });
    sumUp(null);
    showConsole('/admin-leads?view=money');
    const askedFor = () => {
      const { searchParams } = api.calls('GET /api/admin/money/people').at(-1)!.url;
      return ['of', 'source', 'campaign', 'without'].map((name) => searchParams.get(name));
    };
    const total = async () => (await screen.findByRole('row', { name: /^Total/ })).textContent;

    await user.click(await screen.findByRole('link', { name: 'Paid' }));
    screen.getByRole('heading', { name: 'Paid 3, last 30 days' });
    expect(await total()).toBe('Total of 3 payers£717.00');
    expect(askedFor()).toEqual(['paid', null, null, null]);

    await user.click(screen.getByRole('link', { name: 'Back to all figures' }));
    sumUp({ count: 2, pence: 47_800 });
    await user.click(await screen.findByRole('link', { name: '2 payers from top_sub' }));
    await screen.findByRole('heading', { name: 'Paid 2, from top_sub, last 30 days' });
    expect(await total()).toBe('Total of 2 payers£478.00');
    expect(askedFor()).toEqual(['paid', 'top_sub', null, 'campaign']);
    await user.click(screen.getByRole('link', { name: '90 days' }));
    await waitFor(() => expect(api.calls('GET /api/admin/money/people')).toHaveLength(3));
    expect(askedFor()).toEqual(['paid', 'top_sub', null, 'campaign']);

    await user.click(screen.getByRole('link', { name: 'Back to all figures' }));
    sumUp({ count: 1, pence: 23_900 });
    await user.click(await screen.findByRole('link', { name: '£239.00 paid from (none)' }));
    expect(await total()).toBe('Total of 1 payer£239.00');
    expect(askedFor()).toEqual(['paid', null, null, 'source,campaign']);

    await user.click(screen.getByRole('link', { name: 'Back to all figures' }));
    await screen.findByRole('rowheader', { name: /^nav_sub\s*spring/ });
    // Nobody from there paid.
    expect(screen.queryByRole('link', { name: /payers? from nav_sub/ })).toBeNull();
    // The list of refunds has no disputes.
    expect(screen.queryByRole('link', { name: /refunded from \(none\)/ })).toBeNull();
    expect(screen.getAllByText('£9.00 lost in disputes')).toHaveLength(2);
    sumUp({ count: 1, pence: 200 });
    await user.click(screen.getByRole('link', { name: '£2.00 refunded from nav_sub, spring' }));
    expect(await total()).toBe('Total of 1 refund£2.00');
    expect(askedFor()).toEqual(['refunded', 'nav_sub', 'spring', null]);

    await user.click(screen.getByRole('link', { name: 'Back to all figures' }));
    await user.click(await screen.findByRole('link', { name: '£240.00 MRR now from all sources' }));
    expect(await total()).toBe('Total of 2 subscriptions£240.00');
    expect(askedFor()).toEqual(['mrr', null, null, null]);

    await user.click(screen.getByRole('link', { name: 'Back to all figures' }));
    sumUp({ count: 1, pence: 23_900 });
    await user.click(await screen.findByRole('link', { name: '£239.00 MRR now from nav_sub, spring' }));
    expect(await total()).toBe('Total of 1 subscription£239.00');
    expect(askedFor()).toEqual(['mrr', 'nav_sub', 'spring', null]);
  });

  test.for([
    ['expected', /^Charges expected .* 7, from top_sub$/, 'Total of 7 charges£1,673.00'],
    // Not all of its prices are known yet.
    ['trial', /^In trial 7, from top_sub$/, undefined],
  ] as const)(
    'people of one source are counted at a figure and at a stage: %s',
    async ([of, heading, sum], { api }) => {
      const total = { count: 7, pence: 167_300 };
      api.answer('GET /api/admin/money/people', { people: [PERSON], nextCursor: 'next', total });
      showConsole(`/admin-leads?view=money&people=${of}&source=top_sub`);

      await screen.findByRole('heading', { name: heading });
      expect(screen.queryByRole('row', { name: /^Total/ })?.textContent).toBe(sum);
    },
  );

  test('the people of a stage have the date that matters there, and not its name again', async ({ api }) => {
    api.answer('GET /api/admin/money', buildMoney({ stages: { ...buildMoney().stages, trial: 3 } }));
    api.answer('GET /api/admin/money/people', {
      people: [
        { ...PERSON, stage: 'trial', pence: 215_100 },
        { ...PERSON, stage: 'trial', stripeSubscriptionId: 'sub_2', plan: 'monthly', pence: 23_900 },
        { ...PERSON, stage: 'trial', stripeSubscriptionId: 'sub_3', plan: 'monthly', pence: 20_315 },
      ],
      nextCursor: null,
      total: null,
    });
    showConsole('/admin-leads?view=money&people=trial');

    const table = within(await screen.findByRole('table', { name: 'In trial' }));
    expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Person',
      'Plan',
      'Stripe',
      'Trial ends',
      'Price',
    ]);
    await screen.findByRole('heading', { name: 'In trial 3' });
    expect(table.getByRole('row', { name: /^Total/ }).textContent?.replaceAll('\u00a0', ' ')).toBe(
      'Total of 3 subscriptions£442.15 a month£2,151.00 a year',
    );
  });

  test('a row opens the person’s lead beside the list, which ends with the total', async ({ api, user }) => {
    const lead = buildLead();
    haveLeads(api, [lead]);
    api.answer('GET /api/admin/leads/:id', buildDetail(lead));
    api.answer('GET /api/admin/money/figures', buildMoneyFigures({ mrr: { count: 60, pence: 1_075_500 } }));
    api.answer('GET /api/admin/money/people', {
      people: [{ ...PERSON, leadId: lead.id }],
      nextCursor: null,
      total: null,
    });
    showConsole('/admin-leads?view=money&people=mrr');

    const table = within(await screen.findByRole('table', { name: 'Monthly recurring revenue' }));
    expect(table.getByRole('rowheader', { name: /^Priya Raman/ }).textContent).toBe(
      'Priya Ramanpriya@northgate.example',
    );
    expect((await table.findByRole('row', { name: /^Total/ })).textContent).toBe('Total of 60 subscriptions£10,755.00');
    const link = table.getByRole('link', { name: 'Priya Raman' }).getAttribute('href');
    expect(link).toContain(`view=money&people=mrr&lead=${lead.id}`);

    await user.click(table.getByText('Annual'));

    await screen.findByRole('region', { name: 'Timeline' });
    screen.getByRole('table', { name: 'Monthly recurring revenue', hidden: true });
  });

  test('a list of people that fails to load says so', async ({ api, logged }) => {
    api.refuse('GET /api/admin/money/people', 500, null);
    showConsole('/admin-leads?view=money&people=mrr');

    await screen.findByText(/^The server answered 500\./);
    expect(logged).toHaveBeenCalled();
  });
});
