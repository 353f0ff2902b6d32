import { screen, within } from '@testing-library/react';
import { buildMoneyOutcomes } from '../../testing/build-console.ts';
import { expect } from 'vitest';
import { showConsole, test } from '../../testing/console-test.tsx';

test('shows how trials and failed cards ended, and links the payments of a month', async ({ api, user }) => {
  const waiting = { stripeSubscriptionId: 'sub_1', email: 'a@x.example', leadId: null, nextPaymentAttemptAt: null };
  api.answer(
    'GET /api/admin/money/outcomes',
    buildMoneyOutcomes({
      reasons: [{ reason: 'too_expensive', count: 3 }],
      trials: { ended: 8, becamePayers: 5 },
      cards: {
        recovered: { count: 2, pence: 47_800 },
        lost: { count: 1, pence: 23_900 },
        waiting: [{ ...waiting, pence: 23_900, currency: 'usd', paymentUrl: 'https://invoice.example/i' }],
      },
    }),
  );
  showConsole('/admin-leads?view=money');

  const section = within(await screen.findByRole('region', { name: 'Outcomes and accounts' }));
  await section.findByText('Trials: 5 of 8 that ended became payers.');
  section.getByText('Failed cards: 2 (£478.00) recovered, 1 (£239.00) lost, 1 waiting.');
  section.getByText('Reasons for cancelling: Too expensive 3.');
  section.getByRole('button', { name: 'Copy the link to pay' });
  await user.type(section.getByLabelText('Month'), '2026-02');
  const link = section.getByRole('link', { name: 'Download payments as CSV' });
  expect(link.getAttribute('href')).toBe('/api/admin/money/payments.csv?startDate=2026-02-01&endDate=2026-02-28');
});
