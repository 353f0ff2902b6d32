import { expect } from 'vitest';
import { compareSteps } from './compare-steps.ts';
import { refuseSubscriber, targetsOf } from './contract.ts';
import { test } from './sandbox.fixture.ts';

test('a comparison names the step and the field that differ', () => {
  const step = (name: string, body: unknown, status = 200) => ({ name, status, body });
  const sandbox = [
    step('expire', { status: 'expired', list: [{ id: 'a', note: null }] }),
    step('refund', { intent: 'pi' }),
    step('cancel', {}),
    step('read', {}),
  ];
  const real = [
    step('expire', { status: 7, list: [{ id: 'b', note: 'x', more: 1 }] }),
    step('refund', {}),
    step('cancel', {}, 400),
  ];

  expect(compareSteps(sandbox, real)).toEqual([
    'expire: body.status is number, in the sandbox string',
    'refund: without body.intent',
    'cancel: status 400, the sandbox 200',
    'read: not reached',
  ]);
  expect(compareSteps(sandbox, sandbox)).toEqual([]);
});

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
