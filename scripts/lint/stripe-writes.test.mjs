import { expect, test } from 'vitest';

import { findStripeWrite } from './stripe-writes.mjs';

const ELSEWHERE = 'services/api/src/billing/inbox/inbox.service.ts';

test.for([
  'stripe.refunds.create',
  'deps.stripe.checkout.sessions.expire',
  'subscriptions.update',
  'this.stripe\n  .subscriptions.cancel',
  'stripe.subscriptions.resume',
  'stripe.coupons.del',
  'stripe.invoices.voidInvoice',
  'stripe.invoices.pay',
])('%s is refused outside an act', (callee) => {
  expect(findStripeWrite(ELSEWHERE, callee)).toContain('belongs into an act');
});

test.for([
  'stripe.refunds.list',
  'stripe.webhooks.constructEvent',
  'subscriptions.retrieve',
  'hash.update',
  'db.update',
])('%s is not refused', (callee) => {
  expect(findStripeWrite(ELSEWHERE, callee)).toBeUndefined();
});

test.for([
  'services/api/src/acts/act.ts',
  'services/api/src/admin/subscriptions/refund.service.ts',
  'services/api/src/checkout/open-session.ts',
  'services/api/src/billing/inbox/inbox.service.test.ts',
  'services/api/src/testing/shop.fixture.ts',
  'services/sandbox/src/testing/fixtures.ts',
])('%s may write', (file) => {
  expect(findStripeWrite(file, 'stripe.refunds.create')).toBeUndefined();
});
