import type { CallsAnswer } from '@site/schema/calls/money';
import { screen, within } from '@testing-library/react';
import { expect } from 'vitest';
import { buildId } from '../../testing/build-console.ts';
import { findWithin, showConsole, test } from '../../testing/console-test.tsx';

const build = (given: Partial<CallsAnswer['people'][number]>) => ({
  id: buildId(),
  kind: 'unpaid' as const,
  text: 'Opened a checkout, and has not paid',
  since: '2025-12-03T09:31:00Z',
  leadId: buildId(),
  name: 'Priya Raman',
  email: 'priya@reader.example',
  phone: '+44 20 7946 0123',
  plan: 'monthly' as const,
  pence: 23_900,
  invoiceId: null,
  ...given,
});
const FAILED = build({ kind: 'payment-failed', name: 'Ana', phone: null, invoiceId: 'in_1' });
const GONE = build({ kind: 'not-receiving', name: 'Lucy', email: 'lucy@reader.example' });

test('a person is listed with phone, email, reason, worth and what helps', async ({ api }) => {
  const people = [build({}), FAILED, GONE];
  api.answer('GET /api/admin/money/calls', { people, isCapped: false });
  showConsole('/admin-leads?view=money');
  const list = await findWithin('table', 'Call today');

  const row = (name: RegExp) => within(list.getByRole('row', { name }));
  const hrefs = (name: RegExp) =>
    row(name)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'));
  expect(hrefs(/Priya/)).toEqual([
    expect.stringContaining('view=person'),
    'tel:+442079460123',
    'mailto:priya%40reader.example',
  ]);
  row(/Priya/).getByText('Monthly, £239.00');
  row(/Priya/).getByRole('button', { name: 'Payment link for Priya Raman' });
  row(/Ana/).getByRole('button', { name: 'Copy invoice link of Ana' });
  row(/Lucy/).getByRole('link', { name: 'What to do' });
  screen.getByRole('heading', { name: 'Call today 3' });
});

test('a viewer sees whom to call, and changes nothing', async ({ api }) => {
  api.answer('GET /api/admin/me', { username: 'v', isViewer: true });
  api.answer('GET /api/admin/money/calls', { people: [build({})], isCapped: false });
  showConsole('/admin-leads?view=overview');

  const list = await findWithin('table', 'Call today');

  expect(list.queryAllByRole('button')).toEqual([]);
});

test('the overview has the order of a day, and nobody twice', async ({ api }) => {
  const item = {
    tone: 'failed' as const,
    name: null,
    email: null,
    text: '',
    amount: null,
    since: null,
    href: null,
    action: null,
    other: null,
    review: null,
  };
  const items = [
    { ...item, id: 'paused', kind: 'paused', title: 'Sending is paused' },
    { ...item, id: 'a', kind: 'not-receiving', title: 'Pays', email: 'lucy@reader.example' },
    { ...item, id: 'b', kind: 'refunds-failed', title: 'Refund failed' },
  ];
  api.answer('GET /api/admin/attention', { items, count: 3 });
  api.answer('GET /api/admin/money/calls', { people: [GONE], isCapped: false });
  showConsole('/admin-leads?view=overview');
  await findWithin('table', 'Call today');

  const heads = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(heads).toEqual([
    'Stops everybody 1',
    expect.stringMatching(/ so far/),
    'Call today 1',
    'Needs attention 1',
    expect.stringMatching(/^Next seven days/),
    expect.stringMatching(/^From visitor to payer/),
  ]);
  expect(screen.getByRole('region', { name: 'Needs attention' }).textContent).toContain('Refund');
  expect(screen.queryByText('Pays')).toBeNull();
});
