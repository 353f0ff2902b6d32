import { toErrorText } from '@site/platform/process/logged-error';
import { readFlags } from '@site/platform/settings/read-flags';
import { readSettings, SettingsError } from '@site/platform/settings/read-settings';
import { isSandboxValue } from '@site/platform/settings/production';
import { httpUrl, sandboxOrigin, sharedSettings } from '@site/platform/settings/settings';
import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';
import { OFFER_PHASES } from '@site/schema/offer';
import Stripe from 'stripe';
import { z } from 'zod';
import { forgetTermsRefused } from '../stripe/terms.ts';
import { readPortal, planSetUp } from '../stripe/set-up.ts';
import { createStripe, isLiveKey } from '../stripe/stripe.client.ts';
import { toStripeErrorText, isStripeError } from '../stripe/stripe-failure.ts';
import { STRIPE_EVENT_TYPES } from '../billing/reading/event-reading.ts';

const settings = sharedSettings
  .pick({ NODE_ENV: true, SANDBOX_PORT: true })
  .extend({
    STRIPE_API_URL: httpUrl.optional(),
    STRIPE_SECRET_KEY: z.string().optional(),
    STRIPE_PORTAL_LOGIN_URL: httpUrl.optional(),
    OFFER_PHASE: z.enum(OFFER_PHASES).default('launch'),
    TERMS_URL: httpUrl.optional(),
    PUBLIC_URL: httpUrl.optional(),
    DATABASE_URL: z.string().optional(),
  })
  .transform((env) => {
    const sandbox = env.NODE_ENV === 'production' ? undefined : sandboxOrigin(env);
    return {
      isProduction: env.NODE_ENV === 'production',
      apiUrl: env.STRIPE_API_URL ?? sandbox,
      termsUrl: env.TERMS_URL,
      publicUrl: env.PUBLIC_URL,
      phase: env.OFFER_PHASE,
      portalLoginUrl: env.STRIPE_PORTAL_LOGIN_URL,
      databaseUrl: env.DATABASE_URL,
      secretKey: env.STRIPE_SECRET_KEY ?? (sandbox && SANDBOX_CREDENTIALS.stripeSecretKey),
    };
  });

class Refusal extends Error {}

async function setUp(flags: { 'dry-run'?: boolean; live?: boolean }): Promise<void> {
  const {
    isProduction,
    apiUrl,
    secretKey,
    termsUrl,
    databaseUrl,
    publicUrl,
    phase,
    portalLoginUrl,
  } = readSettings(settings, process.env);
  if (secretKey === undefined) throw new Refusal('STRIPE_SECRET_KEY is missing.');
  if (isProduction && [secretKey, apiUrl ?? ''].some(isSandboxValue)) {
    throw new Refusal('Production refuses the sandbox and its default secrets.');
  }
  if (isLiveKey(secretKey) && !flags.live) {
    throw new Refusal('STRIPE_SECRET_KEY is a live key. Add --live to change the real account.');
  }

  const stripe = createStripe({ secretKey, apiUrl });
  const changes = await planSetUp(stripe, phase).catch((error: unknown) => {
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
  if (publicUrl !== undefined) {
    console.log(
      `Stripe: send events to ${publicUrl.replace(/\/+$/, '')}/api/stripe/webhook in version ` +
        `${Stripe.API_VERSION}, with ${STRIPE_EVENT_TYPES.join(', ')}.`,
    );
  }
  const loginUrl = (await readPortal(stripe))?.login_page.url ?? undefined;
  if (loginUrl !== undefined && loginUrl !== portalLoginUrl) {
    console.log(
      'Stripe: "Manage subscription" leads to the customer portal with ' +
        `STRIPE_PORTAL_LOGIN_URL=${loginUrl}`,
    );
  }
  if (termsUrl !== undefined && databaseUrl !== undefined && !flags['dry-run'])
    await askForTerms(databaseUrl);
}

/** Lets checkouts ask for acceptance of the terms again after a refusal by Stripe. */
async function askForTerms(databaseUrl: string): Promise<void> {
  // Loaded on demand: it takes longer to load than the rest of this command takes to run.
  const { createDatabase } = await import('@site/platform/database/connect');
  const applicationName = 'stripe-setup';
  const db = createDatabase({ url: databaseUrl, maxConnections: 1, applicationName });
  try {
    await forgetTermsRefused(db);
  } finally {
    await db.destroy();
  }
  console.log(
    'Stripe: checkouts ask for acceptance of the terms. Their URL must be in Stripe under ' +
      'Public details.',
  );
}

function explain(error: unknown, apiUrl: string): unknown {
  if (!isStripeError(error)) return error;
  const isPlain = error.statusCode === undefined || error.statusCode === 401;
  const more = isPlain ? '' : ` ${error.message}`;
  return new Refusal(`Stripe ${toStripeErrorText(error)} (${apiUrl}).${more}`);
}

const USAGE = `Creates or updates product, prices, coupons and customer portal in the Stripe account
to match the offer. Safe to run twice.
  npm run stripe:setup
  npm run stripe:setup -- --dry-run   only prints the differences
  npm run stripe:setup -- --live      with a live key`;

const flags = readFlags(USAGE, { 'dry-run': { type: 'boolean' }, live: { type: 'boolean' } });
try {
  await setUp(flags);
} catch (error) {
  const isExpected = error instanceof Refusal || error instanceof SettingsError;
  console.error(isExpected ? error.message : toErrorText(error));
  process.exitCode = 1;
}
