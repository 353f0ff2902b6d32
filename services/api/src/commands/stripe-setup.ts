import { describeError } from '@site/platform/logged-error';
import { readFlags } from '@site/platform/read-flags';
import { readSettings, SettingsError } from '@site/platform/read-settings';
import { httpUrl, isSandboxValue, sandboxOrigin, sharedSettings } from '@site/platform/settings';
import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';
import { z } from 'zod';
import { planSetUp } from '../stripe/set-up.ts';
import { createStripe } from '../stripe/stripe.client.ts';
import { isLiveKey } from '../stripe/stripe-key.ts';
import { isStripeError } from '../stripe/stripe-failure.ts';

const settings = sharedSettings
  .pick({ NODE_ENV: true, SANDBOX_PORT: true })
  .extend({ STRIPE_API_URL: httpUrl.optional(), STRIPE_SECRET_KEY: z.string().optional() })
  .transform((env) => {
    const sandbox = env.NODE_ENV === 'production' ? undefined : sandboxOrigin(env);
    return {
      isProduction: env.NODE_ENV === 'production',
      apiUrl: env.STRIPE_API_URL ?? sandbox,
      secretKey: env.STRIPE_SECRET_KEY ?? (sandbox && SANDBOX_CREDENTIALS.stripeSecretKey),
    };
  });

class Refusal extends Error {}

async function setUp(flags: { 'dry-run'?: boolean; live?: boolean }): Promise<void> {
  const { isProduction, apiUrl, secretKey } = readSettings(settings, process.env);
  if (secretKey === undefined) throw new Refusal('STRIPE_SECRET_KEY is missing.');
  if (isProduction && [secretKey, apiUrl ?? ''].some(isSandboxValue)) {
    throw new Refusal('Production refuses the sandbox and its default secrets.');
  }
  if (isLiveKey(secretKey) && !flags.live) {
    throw new Refusal('STRIPE_SECRET_KEY is a live key. Add --live to change the real account.');
  }

  const changes = await planSetUp(createStripe({ secretKey, apiUrl })).catch((error: unknown) => {
    throw explain(error, apiUrl ?? 'https://api.stripe.com');
  });
  for (const { description, apply } of changes) {
    if (!flags['dry-run']) {
      await apply().catch((error: unknown) => {
        throw explain(error, apiUrl ?? 'https://api.stripe.com');
      });
    }
    console.log(flags['dry-run'] ? `would ${description}` : description);
  }
  if (changes.length === 0) console.log('Stripe: nothing to do.');
}

function explain(error: unknown, apiUrl: string): unknown {
  if (!isStripeError(error)) return error;
  if (error.statusCode === undefined) return new Refusal(`Stripe cannot be reached at ${apiUrl}.`);
  if (error.statusCode === 401) return new Refusal(`Stripe at ${apiUrl} refuses the key in STRIPE_SECRET_KEY.`);
  return new Refusal(`Stripe at ${apiUrl} answered ${error.statusCode}: ${error.message}`);
}

const USAGE = `Creates or updates the product, prices and coupons in the Stripe account to match the offer. Safe to run twice.
  npm run stripe:setup
  npm run stripe:setup -- --dry-run   only prints the differences
  npm run stripe:setup -- --live      with a live key`;

const flags = readFlags(USAGE, { 'dry-run': { type: 'boolean' }, live: { type: 'boolean' } });
try {
  await setUp(flags);
} catch (error) {
  const isExpected = error instanceof Refusal || error instanceof SettingsError;
  console.error(isExpected ? error.message : describeError(error));
  process.exitCode = 1;
}
