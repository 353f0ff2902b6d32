// @module-tag long
import { screen } from '@testing-library/react';
import { beforeEach, expect } from 'vitest';
import { buildLead } from '../../testing/build-console.ts';
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

test('reversed dates in the address are named above the list, whose form is closed', async ({
  api,
}) => {
  haveLeads(api, [buildLead({ fullName: 'Ada Byron' })]);
  showConsole('/admin-leads?startDate=2020-01-02&endDate=2020-01-01');

  await screen.findByText('Ada Byron');
  screen.getByText('The end date is before the start date. Both are left out.');
});
