// @module-tag long
import { screen } from '@testing-library/react';
import { beforeEach } from 'vitest';
import { buildLead } from '../../testing/build-console.ts';
import { setWidth } from '../../testing/component-test.tsx';
import { haveLeads, showConsole, test } from '../../testing/console-test.tsx';

beforeEach(() => setWidth(390));

test('reversed dates in the URL are named above the list while its form is closed', async ({
  api,
}) => {
  haveLeads(api, [buildLead({ fullName: 'Ada Byron' })]);
  showConsole('/admin-leads?startDate=2020-01-02&endDate=2020-01-01');

  await screen.findByText('Ada Byron');
  screen.getByText('The end date is before the start date. Both are left out.');
});
