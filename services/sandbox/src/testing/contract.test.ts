import { expect } from 'vitest';
import { refuseSubscriber, targetsOf } from './contract.ts';
import { test } from './sandbox.fixture.ts';

test('an email that is a subscriber is refused, and left alone', async ({ sandbox }) => {
  const email = 'throw-away@example.com';
  const { beehiivApiKey: key, beehiivPublicationId: publicationId } = sandbox.credentials;
  const url = `${sandbox.url}/v2`;
  await fetch(`${url}/publications/${publicationId}/subscriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });

  await expect(refuseSubscriber({ url, key, publicationId, email })).rejects.toThrow(
    'is a subscriber',
  );
  expect(sandbox.beehiiv.subscriptions()).toMatchObject([{ email }]);
});

test.each([
  ['stripe', { STRIPE_SECRET_KEY: 'sk_live_1' }, 'not a test key'],
  ['stripe', { STRIPE_SECRET_KEY: ' rk_live_1' }, 'not a test key'],
  [
    'stripe',
    { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_RESTRICTED_KEY: 'rk_live_1' },
    'not a test key',
  ],
  ['stripe', { STRIPE_SECRET_KEY: 'whsec_1' }, 'not a test key'],
  ['beehiiv', { CONTRACT_EMAIL: 'a@example.com' }, 'needs BEEHIIV_API_KEY'],
  ['beehiiv', { CONTRACT_EMAIL: 'a@example.com', BEEHIIV_API_KEY: 'k' }, 'BEEHIIV_PUBLICATION_ID'],
] as const)('the suite of %s does not start with %o', (service, env, sentence) => {
  expect(() => targetsOf(service, env)).toThrow(sentence);
});

test('the real services are asked only with keys of their own', () => {
  const env = { STRIPE_SECRET_KEY: 'sk_test_real', STRIPE_API_URL: 'https://stripe.example' };

  expect(targetsOf('stripe', env).map(({ name }) => name)).toEqual([
    'in the sandbox',
    'at https://stripe.example',
  ]);
  expect(
    targetsOf('beehiiv', { BEEHIIV_API_KEY: 'k', BEEHIIV_PUBLICATION_ID: 'p' })[1]?.name,
  ).toContain('second sandbox');
});
