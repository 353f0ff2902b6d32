import type { LeadSubscription } from '@site/schema/calls/subscriptions';
import { expect, test } from 'vitest';
import { buildLead, buildSubscription } from '../../testing/build-console.ts';
import { buildPerson } from '../../testing/build-people.ts';
import { judge } from './verdict.ts';

const lead = buildLead();
const NOW = new Date('2025-12-18T09:31:00Z');
const CANCELLED_AT = '2025-12-12T09:00:00Z';
const ENDING: Partial<LeadSubscription> = { stage: 'ending', canceledAt: CANCELLED_AT };
const ENDED: Partial<LeadSubscription> = {
  stage: 'ended',
  canceledAt: CANCELLED_AT,
  endedAt: CANCELLED_AT,
};

test.for([
  ['cancel-subscription', '2025-12-12T09:00:01Z', ENDING, /^on 12 Dec by mia\./],
  ['cancel-now', '2025-12-12T09:00:01Z', ENDED, /^on 12 Dec 2025\. Cancelled by mia\./],
  ['cancel-subscription', '2025-12-11T09:00:01Z', ENDING, /^on 12 Dec\. /],
  ['resume-subscription', '2025-12-12T09:00:01Z', ENDING, /^on 12 Dec\. /],
] as const)(
  'a cancellation names the operator of that moment (%s, %s)',
  ([detail, at, changes, says]) => {
    const action = {
      kind: 'action',
      subject: null,
      amountPence: null,
      currency: 'gbp',
      until: null,
    } as const;
    const history = [{ ...action, operator: 'mia', detail, at }];
    const person = buildPerson(lead, { subscriptions: [buildSubscription(changes)], history });

    expect(judge(person, NOW, undefined).sentence).toMatch(says);
  },
);

test('of two subscriptions, the one that is paid for says most', () => {
  const trial = buildSubscription({ stage: 'trial', firstPaidAt: null });
  const person = buildPerson(lead, { subscriptions: [trial, buildSubscription()] });

  expect(judge(person, NOW, undefined)).toMatchObject({
    name: 'Paying',
    sentence: expect.stringMatching(/One of 2 subscriptions\.$/),
  });
});

test('of two subscriptions, one that is cancelled says less, also if its payment failed', () => {
  const cancelled = buildSubscription({ stage: 'dunning', cancelAt: '2026-01-12T09:00:00Z' });
  const trial = buildSubscription({ stage: 'trial', firstPaidAt: null });

  expect(
    judge(buildPerson(lead, { subscriptions: [cancelled, trial] }), NOW, undefined),
  ).toMatchObject({
    name: 'In trial',
  });
});

test('a subscription that ended because payments failed was cancelled by Stripe', () => {
  const ended = buildSubscription({ ...ENDED, cancellationFeedback: 'payment_failed' });

  expect(judge(buildPerson(lead, { subscriptions: [ended] }), NOW, undefined).sentence).toMatch(
    /^on 12 Dec 2025\. Cancelled by Stripe\. Reason given: payment failed\./,
  );
});
