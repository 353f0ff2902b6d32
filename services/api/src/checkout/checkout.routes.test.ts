import { describe, expect } from 'vitest';
import { test as base } from '../testing/shop.fixture.ts';

const test = base.extend(
  'post',
  ({ shop }) =>
    (plan: string, headers: Record<string, string> = {}) =>
      fetch(`${shop.url}/sample-sent`, {
        method: 'POST',
        redirect: 'manual',
        headers,
        body: new URLSearchParams({ plan }),
      }),
);

describe('POST /sample-sent', () => {
  test.for(['monthly15', 'annual25'])(
    'the plain form of the offer %s opens its checkout',
    async (plan, { post, sandbox }) => {
      const answer = await post(plan, { Origin: 'http://site.example' });

      expect(answer.status).toBe(303);
      const [checkout] = sandbox.stripe.checkouts.newestFirst();
      const [url, fragment] = checkout!.session.url!.split('#');
      const source = 'utm_source=sample&utm_medium=page&utm_campaign=upsell';
      expect(answer.headers.get('location')).toBe(`${url}?${source}#${fragment}`);
      expect(answer.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^receipts=[\w-]{22};/),
      ]);
      expect(checkout!.session).toMatchObject({
        customer_email: null,
        discounts: [{ coupon: plan }],
        cancel_url: 'http://site.example/sample-sent?checkout=cancelled',
      });
    },
  );

  test('an offer leads back to its page if Stripe does not open the checkout', async ({
    post,
    sandbox,
  }) => {
    sandbox.setFault({ target: 'stripe', mode: 'status', status: 500 });

    const answer = await post('annual25');

    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      '/sample-sent?checkout=failed',
    ]);
  });

  test('an unknown plan, and a form of another site, are refused', async ({ post, sandbox }) => {
    const refused = [
      await post('free'),
      await post('annual25', { Origin: 'https://evil.example' }),
    ];

    expect(refused.map(({ status }) => status)).toEqual([422, 403]);
    expect(sandbox.stripe.checkouts.newestFirst()).toHaveLength(0);
  });
});
