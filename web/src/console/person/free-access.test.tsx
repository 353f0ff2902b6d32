import { screen, within } from '@testing-library/react';
import { expect } from 'vitest';
import {
  buildLead,
  buildSubscription as buildAnySubscription,
} from '../../testing/build-console.ts';
import { buildPerson } from '../../testing/build-people.ts';
import { haveLeads, showConsole, test } from '../../testing/console-test.tsx';
import type { FakeApi } from '../../testing/fake-api.ts';
import type { PersonAnswer } from '@site/schema/calls/people';

const lead = buildLead({ fullName: 'Ada Byron', email: 'ada@x.example' });
const buildSubscription: typeof buildAnySubscription = (changes) =>
  buildAnySubscription({ email: lead.email, ...changes });

async function showPerson(api: FakeApi, changes: Partial<PersonAnswer> = {}): Promise<void> {
  haveLeads(api, [lead]);
  api.answer('GET /api/admin/leads/:id/person', buildPerson(lead, changes));
  showConsole(`/admin-leads?view=person&id=${lead.id}`);
  await screen.findByRole('heading', { level: 1, name: 'Ada Byron' });
}

test('access is given to the person whose page it is, so that only the date is asked for', async ({
  api,
  user,
}) => {
  api.answer('POST /api/admin/people/complimentary', {
    email: lead.email,
    until: '2099-12-31T23:59:59.999Z',
    withSubscription: null,
    subscriptions: [],
  });
  await showPerson(api);
  await user.click(screen.getByRole('button', { name: 'Give access…' }));

  const dialog = within(await screen.findByRole('dialog', { name: 'Give free access?' }));
  dialog.getByText(lead.email);
  expect(dialog.queryByLabelText('Email address')).toBeNull();
  await user.type(dialog.getByLabelText('Until the end of'), '2099-12-31');
  await user.click(dialog.getByRole('button', { name: 'Give access' }));
  await screen.findByText('Free access given');
  expect(api.calls('POST /api/admin/people/complimentary').map(({ body }) => body)).toEqual([
    { email: lead.email, until: '2099-12-31' },
  ]);
});

test('the date of free access is changed, beginning with the one that it has', async ({
  api,
  user,
}) => {
  const until = '2099-06-30T22:59:59.999Z';
  api.answer('POST /api/admin/people/complimentary', {
    email: lead.email,
    until,
    withSubscription: null,
    subscriptions: [],
  });
  await showPerson(api, {
    complimentary: {
      until,
      isOver: false,
      withSubscription: null,
      paidBy: null,
      grantedBy: 'admin',
    },
  });

  await user.click(screen.getByRole('button', { name: 'Change free access…' }));

  const dialog = within(await screen.findByRole('dialog', { name: 'Change free access?' }));
  expect(dialog.getByLabelText('Until the end of')).toHaveProperty('value', '2099-06-30');
  await user.click(dialog.getByRole('button', { name: 'Change the date' }));
  await screen.findByText('Free access changed');
});

const OF_CANCELLING = 'Cancel the subscription first if they should not.';
test.for([
  [{}, `They already pay £239.00 a month and go on paying. ${OF_CANCELLING}`],
  [{ plan: 'annual' }, `They already pay £239.00 a year and go on paying. ${OF_CANCELLING}`],
  [{ stage: 'trial' }, `They will pay £239.00 a month after their trial. ${OF_CANCELLING}`],
  [
    { isCollectionPaused: true },
    'They have a subscription at £239.00 a month, which continues. Cancel it first if it should not.',
  ],
  [{ stage: 'ending', cancelAt: '2100-01-04T10:14:00Z' }, 'Nothing is charged for it.'],
] as const)(
  'free access for who has the subscription %o says what is still charged',
  async ([changes, words], { api, user }) => {
    await showPerson(api, { subscriptions: [buildSubscription(changes)] });
    await user.click(screen.getByRole('button', { name: 'Give access…' }));

    within(await screen.findByRole('dialog', { name: 'Give free access?' })).getByText(words);
  },
);
