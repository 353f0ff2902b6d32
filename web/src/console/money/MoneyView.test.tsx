import { screen, within } from '@testing-library/react';
import { MONTH_FIGURES } from '@site/schema/calls/money-figures';
import { beforeEach, expect, vi } from 'vitest';
import { buildLead, buildMoney, buildMonths } from '../../testing/build-console.ts';
import { buildPerson } from '../../testing/build-people.ts';
import { showConsole, test } from '../../testing/console-test.tsx';

const AT = '2025-12-03T09:31:00Z';
const pounds = (pence: number) => ({ pence, currency: 'gbp' });
const PERSON = {
  stripeSubscriptionId: 'sub_1',
  email: 'priya@northgate.example',
  name: 'Priya Raman',
  leadId: null,
  stage: 'paying',
  plan: 'annual',
  amount: pounds(17_925),
  at: AT,
  dashboardUrl: 'https://dashboard.stripe.com/test/subscriptions/sub_1',
} as const;
const STAGES = { ...buildMoney().stages, paying: 3 };

beforeEach(() => void vi.setSystemTime('2025-12-18T09:31:00Z'));

test('without a subscription the view says so', async () => {
  showConsole('/admin-leads?view=money');

  await screen.findByText(/^No subscriptions yet\./);
  const abandoned = within(screen.getByRole('region', { name: 'Abandoned checkouts' }));
  await abandoned.findByText('No abandoned checkouts.');
  expect(abandoned.queryByRole('link')).toBeNull();
});

test('an open checkout is listed as still open, and not counted', async ({ api }) => {
  const checkout = {
    id: buildLead().id,
    stripeCheckoutSessionId: 'cs_1',
    hindrance: null,
    isOpen: false,
    leadId: null,
    email: 'lucy@x.example',
    name: 'Lucy',
    phone: null,
    startedAt: AT,
    before: [],
    plan: 'monthly' as const,
    pence: 23_900,
    channel: null,
    agreedAt: null,
    recoveryUrl: null,
    recoveryEndsAt: null,
    contactedAt: null,
  };
  const id = '00000000-0000-4000-8000-00000000000f';
  api.answer('GET /api/admin/checkouts/abandoned', {
    people: [{ ...checkout, id, name: 'Ana', isOpen: true }, checkout],
    isCapped: false,
  });
  showConsole('/admin-leads?view=money');

  const open = within(await screen.findByRole('row', { name: /Ana/ }));
  open.getByText('Still open');
  expect(open.queryAllByRole('button')).toEqual([]);
  within(screen.getByRole('row', { name: /Lucy/ })).getByRole('button', { name: /contacted/i });
  screen.getByText(/^1 person, all dates/);
});

test('months are columns with each figure, and a figure that moved opens its rows', async ({
  api,
  user,
}) => {
  api.answer('GET /api/admin/money', buildMoney({ stages: STAGES }));
  showConsole('/admin-leads?view=money');
  const table = await screen.findByRole('table', { name: 'Money by month' });
  await within(table).findByRole('link', { name: 'Dec so far 2025' });

  const rows = within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent));
  const march: Record<string, string> = {
    Paid: '£2,239.50',
    'Money in': '£2,000.50',
    Refunded: '£239',
    MRR: '£2,390.02',
    'New payers': '2',
    'Payers with access': '12',
  };
  expect(rows.slice(1).map(([name, january, , third]) => [name, january, third])).toEqual(
    MONTH_FIGURES.filter(({ isRare }) => !isRare).map(({ title }) => [
      title,
      '?',
      march[title] ?? '–',
    ]),
  );
  screen.getByText('Pounds only. Left out: US$49.00 in March 2025.');
  expect(within(table).getByRole('link', { name: '£2,000.50' }).getAttribute('href')).toContain(
    'view=money&startDate=2025-03-01&endDate=2025-03-31&people=money-in',
  );
  await user.click(within(table).getByRole('link', { name: 'Mar 2025' }));

  await screen.findByText('March 2025, as Stripe reports it');
  expect(screen.getByRole('link', { name: 'Accountant’s CSV, March 2025' })).toHaveProperty(
    'href',
    expect.stringContaining('startDate=2025-03-01&endDate=2025-03-31'),
  );
});

test('money held by banks is a figure of the months only if there is some', async ({ api }) => {
  api.answer('GET /api/admin/money', buildMoney({ stages: STAGES }));
  const months = buildMonths();
  Object.assign(months.at(-1)!, { lost: pounds(215_100) });
  api.answer('GET /api/admin/money/history', { months, since: '2025-02' });
  showConsole('/admin-leads?view=money');

  const table = await screen.findByRole('table', { name: 'Money by month' });
  const row = (await within(table).findByText('Held by banks')).closest('tr');

  expect(row?.nextElementSibling?.textContent).toMatch(/^Money in/);
  const link = within(table).getByRole('link', { name: '£2,151' });
  expect(link.getAttribute('href')).toContain('endDate=2025-12-31&people=lost');
});

test('earlier months are shown twelve at a time', async ({ api, user }) => {
  api.answer('GET /api/admin/money', buildMoney({ stages: STAGES }));
  showConsole('/admin-leads?view=money');
  const earlier = buildMonths().map(({ month, ...of }) => ({
    ...of,
    month: month.replace('2025', '2024'),
  }));
  await screen.findByRole('link', { name: 'Earlier months' });
  api.answer('GET /api/admin/money/history', {
    months: [...earlier, ...buildMonths()],
    since: '2024-02',
  });
  await user.click(screen.getByRole('link', { name: 'Earlier months' }));

  await screen.findByRole('link', { name: 'Dec 2024' });
  expect(api.calls('GET /api/admin/money/history').at(-1)?.url.search).toBe('?months=24');
  screen.getByRole('link', { name: 'Later months' });
});

test('the payers in MRR are counted by plan and price', async ({ api }) => {
  const prices = [
    { plan: 'monthly', price: 20_315, count: 2, ...pounds(40_630) },
    { plan: 'annual', price: 215_100, count: 1, ...pounds(17_925) },
  ] as const;
  const mrr = { count: 3, ...pounds(58_555) };
  api.answer('GET /api/admin/money', buildMoney({ stages: STAGES, prices: [...prices], mrr }));
  showConsole('/admin-leads?view=money');

  const table = within(await screen.findByRole('table', { name: 'In MRR now' }));
  expect(table.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'PriceNumberMRR',
    'Monthly less 15%, £203.152£406.30',
    'Annual less 25%, £2,151.001£179.25',
    'Total3£585.55',
  ]);
  expect(table.getByRole('link', { name: '2' }).getAttribute('href')).toBe(
    '/admin-leads?view=money&people=mrr&plan=monthly&price=20315',
  );
  const stages = within(screen.getByRole('table', { name: 'Subscriptions' }));
  expect(stages.getByRole('link', { name: '3' }).getAttribute('href')).toBe(
    '/admin-leads?view=money&people=paying',
  );
});

test('rows at a stage have its date and their price', async ({ api }) => {
  api.answer('GET /api/admin/money/people', {
    people: [{ ...PERSON, amount: pounds(215_100) }],
    nextCursor: null,
    total: { count: 1, ...pounds(215_100) },
  });
  showConsole('/admin-leads?view=money&people=paying');

  const table = within(await screen.findByRole('table', { name: 'Renewing' }));
  screen.getByText('1 row · today');
  table.getByRole('columnheader', { name: 'Next charge' });
  table.getByText('£2,151.00 a year');
  expect(table.queryByText(/^Total/)).toBeNull();
});

test('the rows of a figure open their people, and an erased person has no name', async ({
  api,
  user,
}) => {
  const lead = buildLead();
  api.answer('GET /api/admin/leads/:id/person', buildPerson(lead));
  const erased = { ...PERSON, email: null, name: null, amount: pounds(-500) };
  api.answer('GET /api/admin/money/people', {
    people: [{ ...PERSON, leadId: lead.id }, erased],
    nextCursor: null,
    total: { count: 2, ...pounds(17_425) },
  });
  showConsole('/admin-leads?view=money&people=money-in&startDate=2025-12-01&endDate=2025-12-31');

  const table = within(await screen.findByRole('table', { name: 'Money in' }));
  expect(table.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'PersonStagePlanStripeWhenAmount',
    expect.stringMatching(/^Priya Ramanpriya@northgate.example.*£179\.25$/),
    expect.stringMatching(/^An erased person.*−£5\.00$/),
    'Total of 2 rows£174.25',
  ]);
  const { search } = window.location;
  await user.click(table.getByRole('link', { name: 'Priya Raman' }));

  await screen.findByRole('heading', { level: 1, name: lead.fullName ?? '' });
  await user.click(screen.getByRole('link', { name: '‹ Money' }));
  expect(window.location.search).toBe(search);
});
