import { expect, test, vi } from 'vitest';
import { saveExport } from './export-page.ts';

test('an exported page names the newsletter and the clock, and says everything in the words of the console', async () => {
  let blob: Blob | undefined;
  vi.spyOn(URL, 'createObjectURL').mockImplementation((given) => {
    blob = given as Blob;
    return 'blob:1';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  const tables = {
    subscriptions: [
      {
        stripeSubscriptionId: 'sub_1',
        plan: 'annual',
        shownStage: 'disputed',
        cancellationFeedback: 'unused',
      },
      {
        stripeSubscriptionId: 'sub_2',
        plan: 'monthly',
        shownStage: 'dunning',
        trialEndsAt: '2025-12-08T09:00:00.000Z',
      },
    ],
    stripe_invoices: [
      {
        id: 'in_1',
        stripeSubscriptionId: 'sub_1',
        status: 'uncollectible',
        paidPence: 0,
        refundedPence: 0,
        currency: 'gbp',
      },
      {
        id: 'in_2',
        stripeSubscriptionId: 'sub_1',
        number: 'LL-2',
        status: 'paid',
        paidPence: 23_900,
        refundedPence: 5_000,
        currency: 'gbp',
      },
      ...['2025-12-01', '2025-12-09'].map((day, n) => ({
        id: `in_${n + 3}`,
        stripeSubscriptionId: 'sub_2',
        issuedAt: `${day}T09:00:00.000Z`,
        status: 'paid',
        totalPence: 0,
        paidPence: 0,
        refundedPence: 0,
        currency: 'gbp',
      })),
    ],
    stripe_refunds: [
      { stripeInvoiceId: 'in_2', amountPence: 5_000, status: 'succeeded', currency: 'gbp' },
    ],
    stripe_disputes: [{ stripeInvoiceId: 'in_1', reason: 'fraudulent', status: 'needs_response' }],
    leads: [
      {
        id: 'lead_1',
        utmSource: 'bottom_sub',
        utmCampaign: 'urgency_subscription',
        visitUtmSource: 'linkedin',
      },
      { id: 'lead_2', email: 'ada@x,example', utmSource: 'operator' },
      {
        id: 'lead_3',
        correctedFrom: 'lead_2',
        email: 'ada@x.example',
        utmSource: 'operator',
        createdAt: '2025-12-02T10:00:00.000Z',
      },
    ],
    lead_sync_attempts: ['lead_2', 'lead_3'].map((leadId) => ({ leadId, message: 'Accepted' })),
    subscribers: [{ status: 'active' }],
  };
  const exportedAt = '2025-12-03T09:30:00.000Z';
  const given = { email: 'ada@x.example', exportedAt, consent: [], tables, elsewhere: [] };

  expect(saveExport(given, 'Ada Byron')).toBe('Ada-Byron 2025-12-03.html');

  const page = new DOMParser().parseFromString((await blob?.text()) ?? '', 'text/html');
  const texts = (selector: string) =>
    [...page.querySelectorAll(selector)].map(({ textContent }) => textContent);
  expect(texts('main > section')).toEqual(texts('section'));
  expect(texts('p').slice(0, 2)).toEqual([
    'Liquidation Ledger',
    'ada@x.example. Exported 3 Dec 2025, 09:30. All times are UK time.',
  ]);
  expect(texts('section')).toEqual([
    'SubscriptionsPlanStageTrial endsCancellation feedbackYearlyDisputedDid not use itMonthlyPayment failed8 Dec 2025, 09:00',
    'InvoicesNumberIssuedStatusTotalRefundedWritten off£0.00LL-2Paid£50.009 Dec 2025, 09:00Paid£0.00£0.001 Dec 2025, 09:00Paid£0.00£0.00',
    'RefundsStatusRefundedAmount£50.00',
    'DisputesReasonNot made by the customerStatusNot decided yet',
    'Forms filled inEmailButtonCampaignThis visit, sourceBottom of the pageUrgency subscriptionLinkedInada@x,exampleAdded by usada@x.exampleAdded by us',
    'On the list at BeehiivStatusConfirmed',
    'Sent to BeehiivMessageAcceptedAccepted',
  ]);
});
