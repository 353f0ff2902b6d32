import { expect, test } from 'vitest';
import { withSampleSource } from './use-upsell.ts';

test('the upsell’s address has the source and keeps Stripe’s fragment', () => {
  expect(withSampleSource('https://checkout.stripe.com/c/pay/cs_test_1#fid=abc%2Fdef')).toBe(
    'https://checkout.stripe.com/c/pay/cs_test_1?utm_source=sample&utm_medium=page&utm_campaign=upsell#fid=abc%2Fdef',
  );
});

test('the upsell’s address keeps an existing query', () => {
  expect(withSampleSource('https://pay.example/?a=1')).toBe(
    'https://pay.example/?a=1&utm_source=sample&utm_medium=page&utm_campaign=upsell',
  );
});
