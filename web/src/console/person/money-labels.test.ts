import type { LeadCheckout, LeadSubscription } from '@site/schema/calls/subscriptions';
import { describe, expect, test } from 'vitest';
import {
  describeCheckout,
  describeEvidence,
  describeReason,
  describeRecovery,
  describeSubscription,
} from './money-labels.ts';

const NOW = new Date('2025-12-03T09:31:00Z');
const TOMORROW = '2025-12-04T08:58:00Z';
const YESTERDAY = '2025-12-02T08:58:00Z';

const subscription = (given: Partial<LeadSubscription>): LeadSubscription => ({
  stripeSubscriptionId: 'sub_1',
  stripeCustomerId: 'cus_1',
  email: 'priya@northgate.example',
  readers: [],
  dashboardUrl: 'https://dashboard.stripe.com/test/subscriptions/sub_1',
  stage: 'paying',
  plan: 'monthly',
  coupon: null,
  amountPence: 23_900,
  refundedPence: 0,
  currency: 'gbp',
  invoices: [],
  openDispute: null,
  unsettled: null,
  other: null,
  startedAt: null,
  firstPaidAt: null,
  canceledAt: null,
  cancellationFeedback: null,
  trialEndsAt: null,
  periodEndsAt: TOMORROW,
  cancelAt: null,
  endedAt: null,
  paymentAttempts: 0,
  nextPaymentAttemptAt: null,
  isCollectionPaused: false,
  unreadParts: [],
  customerUrl: 'https://dashboard.stripe.com/test/customers/cus_1',
  ...given,
});

test.for<[Partial<LeadSubscription>, string]>([
  [{ stage: 'trial', trialEndsAt: TOMORROW }, 'In trial until 4 Dec, 08:58, then £239.00 a month'],
  [{}, 'Paying £239.00 a month, next charge 4 Dec, 08:58'],
  [
    { plan: 'annual', amountPence: 215_100, coupon: 'annual25' },
    'Paying £2,151.00 a year after 25% off, next charge 4 Dec, 08:58',
  ],
  [
    { coupon: 'FRIENDS' },
    'Paying £239.00 a month with the coupon FRIENDS, next charge 4 Dec, 08:58',
  ],
  [
    { isCollectionPaused: true },
    'Paying £239.00 a month, next charge 4 Dec, 08:58; charging is paused',
  ],
  [
    { refundedPence: 10_000, currency: 'usd', unreadParts: ['price'] },
    'Paying a price not in pounds each month, next charge 4 Dec, 08:58; US$100.00 refunded',
  ],
  [{ refundedPence: 10_000 }, 'Paying £239.00 a month, next charge 4 Dec, 08:58; £100.00 refunded'],
  [
    {
      openDispute: {
        amountPence: 23_900,
        status: 'needs_response',
        evidenceDueAt: null,
        dashboardUrl: 'https://x',
      },
    },
    'Paying £239.00 a month, next charge 4 Dec, 08:58; £239.00 disputed',
  ],
  [{ stage: 'ending', cancelAt: TOMORROW }, 'Cancelled, runs until 4 Dec, 08:58; £239.00 a month'],
  [
    { stage: 'dunning', paymentAttempts: 1, nextPaymentAttemptAt: TOMORROW },
    'Payment of £239.00 a month failed: 1 attempt so far, next 4 Dec, 08:58',
  ],
  [
    { stage: 'dunning', paymentAttempts: 3 },
    'Payment of £239.00 a month failed: 3 attempts so far, no further attempt planned',
  ],
  [{ stage: 'suspended' }, 'Suspended, unpaid or paused; £239.00 a month'],
  [{ stage: 'ended', endedAt: YESTERDAY }, 'Ended 2 Dec, 08:58; £239.00 a month'],
  [{ stage: 'incomplete' }, 'Never started: first payment not received; £239.00 a month'],
])('a subscription with %o reads "%s"', ([given, words]) => {
  expect(describeSubscription(subscription(given), NOW)).toBe(words);
});

describe('a checkout in words', () => {
  const checkout = (given: Partial<LeadCheckout>): LeadCheckout => ({
    id: 'cs_1',
    state: 'abandoned',
    isAbandoned: true,
    startedAt: YESTERDAY,
    recoveryUrl: 'https://stripe.example/r/1',
    recoveryEndsAt: TOMORROW,
    dashboardUrl: 'https://dashboard.stripe.com/test/checkout/sessions/cs_1',
    ...given,
  });

  test.for<[Partial<LeadCheckout>, string]>([
    [{ state: 'complete', isAbandoned: false }, 'Opened 2 Dec, 08:58, completed'],
    [{}, 'Opened 2 Dec, 08:58, abandoned'],
    [{ isAbandoned: false }, 'Opened 2 Dec, 08:58, expired; another one was completed'],
    [
      { state: 'payment-failed', isAbandoned: false },
      'Opened 2 Dec, 08:58, completed, but the payment failed later',
    ],
  ])('a checkout with %o reads "%s"', ([given, words]) => {
    expect(describeCheckout(checkout(given), NOW)).toBe(words);
  });

  test('the recovery link is shown only while it works', () => {
    expect(describeRecovery(checkout({}), NOW)).toEqual({
      url: 'https://stripe.example/r/1',
      validity: 'works until 4 Dec',
    });
    expect(describeRecovery(checkout({ recoveryEndsAt: YESTERDAY }), NOW)).toEqual({
      url: undefined,
      validity: 'The recovery link expired on 2 Dec, 08:58',
    });
    expect(describeRecovery(checkout({ recoveryUrl: null }), NOW).url).toBeUndefined();
    expect(describeRecovery(checkout({ recoveryEndsAt: null }), NOW).url).toBe(
      'https://stripe.example/r/1',
    );
  });
});

describe('what needs attention, in words', () => {
  test('a dispute has a reason, and a day by which to answer', () => {
    expect(describeReason('product_not_received')).toBe('Product not received');
    expect(describeReason('expired_or_canceled_card')).toBe('Expired or cancelled card');
    const evidence = (status: string, evidenceDueAt: string | null) =>
      describeEvidence({ status, evidenceDueAt }, NOW);
    expect(evidence('needs_response', TOMORROW)).toBe('evidence is due by 4 Dec, 08:58');
    expect(evidence('needs_response', YESTERDAY)).toBe('evidence was due by 2 Dec, 08:58');
    expect(evidence('needs_response', null)).toBe('Stripe gives no deadline');
    expect(evidence('warning_under_review', TOMORROW)).toBe('answered; the bank is reviewing it');
  });
});
