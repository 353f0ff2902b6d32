import { expect, test } from 'vitest';
import { withSampleSource } from './upsell-url.ts';

test('the source is added and Stripe’s fragment stays', () => {
  expect(withSampleSource('https://checkout.stripe.com/c/pay/cs_test_1#fid=abc%2Fdef')).toBe(
    'https://checkout.stripe.com/c/pay/cs_test_1?utm_source=sample&utm_medium=page&utm_campaign=upsell#fid=abc%2Fdef',
  );
});

test('a query that is there stays', () => {
  expect(withSampleSource('https://pay.example/?a=1')).toBe(
    'https://pay.example/?a=1&utm_source=sample&utm_medium=page&utm_campaign=upsell',
  );
});
