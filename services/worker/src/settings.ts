import { BEEHIIV_EVENTS_PATH } from '@site/schema/beehiiv-events';
import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';
import {
  guardProduction,
  isSandboxValue,
  refusePublicTrial,
} from '@site/platform/settings/production';
import {
  flag,
  httpUrl,
  list,
  sandboxOrigin,
  sharedSettings,
  whole,
  wholeNumber,
} from '@site/platform/settings/settings';
import { z } from 'zod';

const BEEHIIV_URL = 'https://api.beehiiv.com/v2';

const automations = list.refine(
  (ids) => ids.every((id) => id.startsWith('aut_')),
  'it must be a comma list of automation ids, each aut_ and an id',
);

const environment = sharedSettings.extend({
  BEEHIIV_API_URL: httpUrl.optional(),
  BEEHIIV_API_KEY: z
    .string()
    .regex(/^(?!Bearer )/i, 'it must be the key alone, without Bearer')
    .optional(),
  BEEHIIV_PUBLICATION_ID: z
    .string()
    .regex(/^pub_[0-9a-fA-F-]+$/, 'it must look like pub_ and an id')
    .optional(),
  BEEHIIV_REQUESTS_PER_MINUTE: whole(150),
  BEEHIIV_BACKOFF_BASE_MS: whole(30_000, 1),
  BEEHIIV_SEND_WELCOME_EMAIL: flag(false),
  BEEHIIV_DOUBLE_OPT: z.enum(['on', 'off', 'not_set']).default('not_set'),
  BEEHIIV_AUTOMATIONS_PRE_BUY: automations,
  BEEHIIV_AUTOMATIONS_PRE_SAMPLE: automations,
  WORKER_CONCURRENCY: whole(16, 1),
  RETAIN_NETWORK_DATA_DAYS: whole(90, 1),
  RETAIN_ABANDONED_CHECKOUT_DAYS: whole(180, 1),
  RETAIN_FAILED_LEAD_DAYS: wholeNumber(1).optional(),
});

/** The URL for Beehiiv's events. Null without a secret, or without https except for the sandbox. */
function toEventsUrl(env: z.output<typeof environment>, apiUrl: string): string | null {
  const { BEEHIIV_WEBHOOK_SECRET: secret, PUBLIC_URL = `http://127.0.0.1:${env.PORT}` } = env;
  const { origin, protocol } = new URL(PUBLIC_URL);
  const isReachable = protocol === 'https:' || isSandboxValue(apiUrl);
  return secret && isReachable ? `${origin}${BEEHIIV_EVENTS_PATH}${secret}` : null;
}

const toApiUrl = (env: z.output<typeof environment>) =>
  env.BEEHIIV_API_URL ?? (env.NODE_ENV === 'production' ? BEEHIIV_URL : `${sandboxOrigin(env)}/v2`);

export const workerSettings = environment
  .superRefine((env, ctx) => {
    const { BEEHIIV_API_KEY, BEEHIIV_PUBLICATION_ID, BEEHIIV_API_URL } = env;
    const needed = { BEEHIIV_API_KEY, BEEHIIV_PUBLICATION_ID };
    guardProduction(env, { needed, secrets: { BEEHIIV_API_KEY }, urls: { BEEHIIV_API_URL } }, ctx);
    const isLive = BEEHIIV_API_KEY !== undefined && !isSandboxValue(BEEHIIV_API_KEY);
    if (isLive) refusePublicTrial(env, 'BEEHIIV_API_KEY', ctx);
  })
  .transform((env) => ({
    eventsUrl: toEventsUrl(env, toApiUrl(env)),
    host: env.HOST,
    port: env.WORKER_PORT,
    databaseUrl: env.DATABASE_URL,
    // One connection for each run, and four for the timers.
    databasePoolSize: env.DATABASE_POOL_SIZE ?? env.WORKER_CONCURRENCY + 4,
    redisUrl: env.REDIS_URL,
    logLevel: env.LOG_LEVEL,
    concurrency: env.WORKER_CONCURRENCY,
    requestsPerMinute: env.BEEHIIV_REQUESTS_PER_MINUTE,
    backoffBaseMs: env.BEEHIIV_BACKOFF_BASE_MS,
    beehiiv: {
      apiUrl: toApiUrl(env),
      apiKey: env.BEEHIIV_API_KEY ?? SANDBOX_CREDENTIALS.beehiivApiKey,
      publicationId: env.BEEHIIV_PUBLICATION_ID ?? SANDBOX_CREDENTIALS.beehiivPublicationId,
    },
    retention: {
      networkDataDays: env.RETAIN_NETWORK_DATA_DAYS,
      abandonedCheckoutDays: env.RETAIN_ABANDONED_CHECKOUT_DAYS,
      failedLeadDays: env.RETAIN_FAILED_LEAD_DAYS ?? null,
    },
    alerts: {
      webhookUrl: env.ALERT_WEBHOOK_URL ?? null,
      maxPendingMs: env.ALERT_OLDEST_PENDING_MINUTES * 60_000,
      isProduction: env.NODE_ENV === 'production',
    },
    delivery: {
      sendWelcomeEmail: env.BEEHIIV_SEND_WELCOME_EMAIL,
      doubleOptIn: env.BEEHIIV_DOUBLE_OPT,
      automations: {
        pre_buy: env.BEEHIIV_AUTOMATIONS_PRE_BUY,
        pre_sample: env.BEEHIIV_AUTOMATIONS_PRE_SAMPLE,
      },
    },
  }));
export type WorkerSettings = z.output<typeof workerSettings>;
