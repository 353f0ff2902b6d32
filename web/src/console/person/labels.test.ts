import type { LeadCheckout } from '@site/schema/calls/subscriptions';
import { describe, expect, test } from 'vitest';
import { toEvidenceText, toReasonText, toRecoveryLink } from './labels.ts';

const NOW = new Date('2025-12-03T09:31:00Z');
const TOMORROW = '2025-12-04T08:58:00Z';
const YESTERDAY = '2025-12-02T08:58:00Z';

describe('a checkout in words', () => {
  const checkout = (given: Partial<LeadCheckout>): LeadCheckout => ({
    isAbandoned: true,
    hindrance: null,
    startedAt: YESTERDAY,
    recoveryUrl: 'https://stripe.example/r/1',
    recoveryEndsAt: TOMORROW,
    ...given,
  });

  test('the recovery link is shown only while it works', () => {
    expect(toRecoveryLink(checkout({}), NOW)).toEqual({
      url: 'https://stripe.example/r/1',
      validity: 'works until 4 Dec',
    });
    expect(toRecoveryLink(checkout({ recoveryEndsAt: YESTERDAY }), NOW)).toEqual({
      url: undefined,
      validity: 'The recovery link expired on 2 Dec, 08:58',
    });
    expect(toRecoveryLink(checkout({ recoveryUrl: null }), NOW).url).toBeUndefined();
    expect(toRecoveryLink(checkout({ recoveryEndsAt: null }), NOW).url).toBe(
      'https://stripe.example/r/1',
    );
  });
});

describe('what needs attention, in words', () => {
  test('a dispute has a reason, and a day by which to answer', () => {
    expect(toReasonText('product_not_received')).toBe('Product not received');
    expect(toReasonText('expired_or_canceled_card')).toBe('Expired or cancelled card');
    const evidence = (status: string, evidenceDueAt: string | null) =>
      toEvidenceText({ status, evidenceDueAt }, NOW);
    expect(evidence('needs_response', TOMORROW)).toBe('evidence is due by 4 Dec, 08:58');
    expect(evidence('needs_response', YESTERDAY)).toBe('evidence was due by 2 Dec, 08:58');
    expect(evidence('needs_response', null)).toBe('Stripe gives no deadline');
    expect(evidence('warning_under_review', TOMORROW)).toBe('answered; the bank is reviewing it');
  });
});
