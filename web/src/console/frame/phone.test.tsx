// @module-tag long
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect } from 'vitest';
import { buildFailedLead, buildLead } from '../../testing/build-console.ts';
import { buildFound, buildPeople } from '../../testing/build-people.ts';
import { setWidth } from '../../testing/component-test.tsx';
import { haveLeads, showConsole, test } from '../../testing/console-test.tsx';

beforeEach(() => setWidth(390));

const menu = () => screen.getByRole('button', { name: /^(Menu|Close)/, expanded: true });
const closedMenu = async () => screen.findByRole('button', { name: 'Menu', expanded: false });

test('the menu says Close while it is open, and Escape, a press elsewhere and a choice close it', async ({
  user,
}) => {
  showConsole();
  await screen.findByText('No leads found');

  await user.click(await closedMenu());
  expect(menu().textContent).toBe('Close');
  await user.keyboard('{Escape}');
  expect(document.activeElement).toBe(await closedMenu());

  await user.click(await closedMenu());
  await user.click(screen.getByText('No leads found'));

  await user.click(await closedMenu());
  await user.click(screen.getByRole('link', { name: 'Activity' }));
  await screen.findByRole('heading', { name: 'Activity' });
  await closedMenu();
});

test.for(['quarantined', 'failed'])(
  'all %s leads can be selected at once',
  async (status, { api, user }) => {
    haveLeads(
      api,
      [1, 2].map(() => buildFailedLead({ quarantineReason: 'the hidden field was filled' })),
    );
    showConsole(`/admin-leads?status=${status}`);

    await user.click(await screen.findByRole('checkbox', { name: 'Select all shown' }));

    await screen.findByText(/^2 selected, 2 /);
  },
);

test('the filters of the list open as a sheet, which a choice closes', async ({ api, user }) => {
  haveLeads(api, [buildLead()]);
  showConsole();
  await user.click(await screen.findByRole('button', { name: 'Filters' }));
  const presets = within(await screen.findByRole('dialog', { name: 'Filters' }));
  await user.click(presets.getByRole('link', { name: '7 days' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(new URLSearchParams(window.location.search).has('startDate')).toBe(true);
  const views = within(screen.getByRole('navigation', { name: 'Console' }));
  await user.click(views.getByRole('link', { name: 'Leads' }));

  await user.click(screen.getByRole('button', { name: 'Filters' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Filters' }));
  await user.selectOptions(sheet.getByLabelText('Form Type'), 'Pre-Buy');
  await user.click(sheet.getByRole('button', { name: 'Apply Filters' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(window.location.search).toBe('?formType=pre_buy');
});

test('the card of a lead without a name has no empty line', async ({ api }) => {
  const lead = buildLead({ fullName: null });
  haveLeads(api, [lead]);
  showConsole();

  const card = (await screen.findByRole('link', { name: lead.email })).closest('li');
  expect(card?.textContent).toContain('No name given');
  expect(card?.textContent).toContain('Pre-Buy, Top of the page');
});

test('a card found by its company names it, and marks what was searched for', async ({ api }) => {
  const lead = buildLead({ fullName: 'Renée Fault', company: 'Harbour Desk Ltd' });
  haveLeads(api, [lead]);
  showConsole('/admin-leads?search=renee+desk');

  const card = (await screen.findByRole('link', { name: 'Renée Fault' })).closest('li');
  expect(card?.textContent).toContain('Harbour Desk Ltd');
  expect([...(card?.querySelectorAll('mark') ?? [])].map(({ textContent }) => textContent)).toEqual(
    ['Renée', 'Desk'],
  );
});

test('the tabs of the list are one line: the rest is behind "More", whose place a chosen one takes', async ({
  api,
  user,
}) => {
  haveLeads(api, [buildLead(), buildFailedLead({ quarantineReason: 'too fast' })]);
  showConsole();
  const tabs = within(await screen.findByRole('navigation', { name: 'Status' }));
  const more = () => tabs.getByRole('group').querySelector('summary');
  await tabs.findByRole('link', { name: 'Failed 0' });
  expect(more()?.textContent).toBe('More ');
  expect(tabs.getAllByRole('link').filter((link) => !link.closest('details'))).toHaveLength(4);

  await user.click(more()!);
  await user.click(tabs.getByRole('link', { name: 'Quarantined 1' }));

  await waitFor(() => expect(more()?.textContent).toBe('Quarantined 1 '));
  expect(tabs.getByRole('group').hasAttribute('open')).toBe(false);
  expect(window.location.search).toBe('?status=quarantined');
});

test('reversed dates in the address are named above the list, whose form is closed', async ({
  api,
}) => {
  haveLeads(api, [buildLead({ fullName: 'Ada Byron' })]);
  showConsole('/admin-leads?startDate=2020-01-02&endDate=2020-01-01');

  await screen.findByText('Ada Byron');
  screen.getByText('The end date is before the start date. Both are left out.');
});

test('on a tablet the last of the tabs of people are behind "More"', async ({ api }) => {
  setWidth(768);
  api.answer('POST /api/admin/people/search', buildPeople([buildFound(buildLead())]));
  showConsole('/admin-leads?view=people');

  const tabs = within(await screen.findByRole('navigation', { name: 'People' }));
  const more = within((await tabs.findByText('More')).closest('details')!);
  expect(
    more.getAllByRole('link').map(({ textContent }) => textContent?.replace(/ ?\d+$/u, '')),
  ).toEqual(['No subscription', 'On the list']);
  expect(tabs.getAllByRole('link')).toHaveLength(8);
});
