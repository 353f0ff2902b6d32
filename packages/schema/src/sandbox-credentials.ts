/**
 * The credentials that the sandbox accepts, which are the defaults in development. Production
 * refuses them.
 */
export const SANDBOX_CREDENTIALS = {
  beehiivApiKey: 'sandbox-beehiiv-key',
  beehiivPublicationId: 'pub_00000000-0000-4000-8000-000000000000',
  stripeSecretKey: 'sk_test_sandbox',
  stripeWebhookSecret: 'whsec_sandbox',
} as const;
