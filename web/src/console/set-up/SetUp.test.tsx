import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import { screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';
import { buildHealth, buildLead } from '../../testing/build-console.ts';
import { findWithin, haveLeads, showConsole, test } from '../../testing/console-test.tsx';
import { provideSiteSettings } from '../../site-settings.ts';
import { buildOverview, buildSetUp } from '../../testing/build-overview.ts';

const NOTHING = buildSetUp({
  beehiiv: { answer: 'key-refused', checkedAt: '2025-12-18T09:28:00Z' },
  missingFields: null,
  isMailSetUp: false,
  firstSentAt: null,
  backup: null,
  hasTwoStepLogin: false,
});
const steps = async (done: number) =>
  await findWithin('region', `Before the first visitor ${done} of 10 done`);

test('an empty console has a checklist, which opens the first step that fails', async ({ api }) => {
  api.answer('GET /api/admin/sync', buildHealth({ isFirstRun: true }));
  api.answer('GET /api/admin/set-up', NOTHING);
  provideSiteSettings({ ...DEFAULT_SITE_SETTINGS, offerPhase: 'standard' });
  showConsole();

  const items = (await steps(3)).getAllByRole('listitem');

  const isDone = (item: HTMLElement) => item.textContent.startsWith('Done:');
  const titleOf = (item: HTMLElement) => within(item).getByRole('heading').textContent;
  expect(items.filter(isDone).map(titleOf)).toEqual([
    'Stripe',
    'Stripe’s events',
    'The offer’s date',
  ]);
  expect(items.filter((item) => item.hasAttribute('data-open')).map(titleOf)).toEqual(['Beehiiv']);
});

test.for([
  ['key', 'Put a restricted key with the permissions of docs/stripe-setup.md into'],
  ['prices', 'Ask your engineer: docs/stripe-setup.md'],
  ['time', 'Check again in a minute.'],
] as const)(
  'the next step at Stripe depends on its missing part (%s)',
  async ([needs, todo], { api }) => {
    api.answer(
      'GET /api/admin/set-up',
      buildSetUp({ stripe: { failure: { text: 'Stripe fails.', needs }, isLive: true } }),
    );
    showConsole();

    const list = await findWithin('region', /^Before the first visitor/);

    expect(list.getAllByRole('listitem')[0]?.textContent).toContain(`Stripe fails.${todo}`);
  },
);

test('a check asks the worker, and the list goes when everything works', async ({ api, user }) => {
  api.answer('GET /api/admin/set-up', NOTHING);
  api.answer('POST /api/admin/set-up/check', undefined);
  showConsole();
  const check = (await steps(4)).getByRole('button', { name: 'Check again' });

  api.answer('GET /api/admin/set-up', buildSetUp());
  await user.click(check);

  await waitFor(() =>
    expect(screen.queryByText('Before the first visitor', { exact: false })).toBeNull(),
  );
  expect(api.calls('POST /api/admin/set-up/check')).toHaveLength(1);
});

test('once visitors have sent leads, the set-up is not requested', async ({ api }) => {
  haveLeads(
    api,
    Array.from({ length: 10 }, () => buildLead()),
  );
  api.answer('GET /api/admin/set-up', NOTHING);
  showConsole();

  await screen.findByText('Total Leads');
  await waitFor(() => expect(api.calls('GET /api/admin/leads').length).toBeGreaterThan(0));
  expect(api.calls('GET /api/admin/set-up')).toHaveLength(0);
});

test.for([
  ['overview', 'Figures appear here with the first trial.'],
  ['money', 'No subscriptions yet. Figures appear here with the first one.'],
] as const)(
  'before the first lead, %s shows the missing set-up in place of empty figures',
  async ([view, words], { api }) => {
    api.answer('GET /api/admin/sync', buildHealth({ isFirstRun: true }));
    api.answer('GET /api/admin/set-up', NOTHING);
    showConsole(`/admin-leads?view=${view}`);

    const sentence = await screen.findByText(words, { exact: false });

    const link = within(sentence).getByRole('link', { name: 'what is left to set up' });
    expect(link.getAttribute('href')).toBe('/admin-leads');
    expect(screen.queryByRole('region', { name: /^Before the first visitor/ })).toBeNull();
    expect(screen.queryByRole('combobox', { name: 'Chart' })).toBeNull();
    expect(screen.queryByRole('table')).toBeNull();
    expect(screen.queryByRole('region', { name: /^From visitor/ })).toBeNull();
    if (view === 'overview') screen.getByText('Nothing needs attention.');
    else screen.getByText('No abandoned checkouts.');
  },
);

test('figures stay as soon as there is anything in them', async ({ api }) => {
  api.answer('GET /api/admin/sync', buildHealth({ isFirstRun: true }));
  const { funnel } = buildOverview();
  api.answer(
    'GET /api/admin/overview',
    buildOverview({ funnel: { ...funnel, people: 1, checkouts: 1 } }),
  );
  showConsole('/admin-leads?view=overview');

  await screen.findByRole('region', { name: /^From visitor/ });
  expect(screen.queryByRole('region', { name: /^Before the first visitor/ })).toBeNull();
});
