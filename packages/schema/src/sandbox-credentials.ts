/**
 * What the sandbox accepts, and so the defaults of every setting in development. Production start-up
 * refuses each of these values.
 */
export const SANDBOX_CREDENTIALS = {
  beehiivApiKey: 'sandbox-beehiiv-key',
  beehiivPublicationId: 'pub_00000000-0000-4000-8000-000000000000',
  stripeSecretKey: 'sk_test_sandbox',
  stripeWebhookSecret: 'whsec_sandbox',
} as const;
