import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { failureOf, readMissingPermission } from './stripe-failure.ts';

const failed = (statusCode: number | undefined, message = 'no') =>
  new Stripe.errors.StripeAPIError({
    type: 'api_error',
    message,
    ...(statusCode !== undefined && { statusCode }),
  });
const HAVING =
  "The provided key 'rk_test_***' does not have the required permissions for this endpoint.";

test.each([
  [undefined, 'unreachable'],
  [500, 'unreachable'],
  [401, 'unreachable'],
  [409, 'unreachable'],
  [429, 'unreachable'],
  [403, 'forbidden'],
  [400, 'refused'],
  [404, 'refused'],
])('a failed call to Stripe with status %s means %s', (status, meaning) => {
  expect(failureOf(failed(status))).toBe(meaning);
});

test.each([
  [
    `${HAVING} Having the 'rak_dispute_read' permission would allow this request to continue.`,
    'rak_dispute_read',
  ],
  [
    `${HAVING} Having the 'rak_plan_read', 'rak_a_write' permissions would allow it.`,
    'rak_plan_read, rak_a_write',
  ],
  [
    `${HAVING} Enabling "Prices Read" ('plan_read') permissions on this key would allow it.`,
    'plan_read',
  ],
  ['Only platforms can work with other accounts.', 'unknown'],
])('a failed call to Stripe names what the key lacks: %s', (message, named) => {
  expect(readMissingPermission(failed(403, message))).toBe(named);
});

test('a failed call to Stripe names a permission only if it was forbidden', () => {
  expect(readMissingPermission(failed(400, "'rak_dispute_read'"))).toBeNull();
  expect([failureOf(new Error('ours')), readMissingPermission(new Error('ours'))]).toEqual([
    null,
    null,
  ]);
});
