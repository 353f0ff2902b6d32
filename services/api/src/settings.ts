import { OFFER, OFFER_PHASES } from '@site/schema/offer';
import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import type { SiteSettings } from '@site/schema/site-settings';
import {
  guardProduction,
  isSandboxValue,
  refusePublicTrial,
} from '@site/platform/settings/production';
import {
  flag,
  httpUrl,
  isNetwork,
  list,
  sandboxOrigin,
  sharedSettings,
  whole,
} from '@site/platform/settings/settings';
import { accessSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { z } from 'zod';

const environment = sharedSettings.extend({
  SESSION_SECRET: list.refine((secrets) => secrets.every((secret) => secret.length >= 32), {
    error: 'each secret in it must have at least 32 characters',
  }),
  SESSION_IDLE_MINUTES: whole(30, 1, 1_440),
  SESSION_HOURS: whole(12, 1, 168),
  TWO_FACTOR: z.enum(['optional', 'required']).optional(),
  STRIPE_API_URL: httpUrl.optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_/, 'it must be a secret key, sk_… or rk_…')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_/, 'it must be the signing secret of the endpoint, whsec_…')
    .optional(),
  STRIPE_PORTAL_LOGIN_URL: httpUrl.optional(),
  STRIPE_AUTOMATIC_TAX: flag(false),
  STRIPE_PROMOTION_CODES: flag(false),
  CONTACT_URL: httpUrl.optional(),
  PRIVACY_URL: httpUrl.optional(),
  TERMS_URL: httpUrl.optional(),
  REFUND_URL: httpUrl.optional(),
  SAMPLE_SITE_URL: httpUrl.optional(),
  SAMPLE_SITE_ORIGINS: list.refine(
    (origins) =>
      origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
    'each must be an origin, as in https://samples.example',
  ),
  OFFER_PHASE: z.enum(OFFER_PHASES).optional(),
  OFFER_PRICE_RISES_ON: z.iso.date('it must be a date, YYYY-MM-DD').optional(),
  TRUST_PROXY: z
    .string()
    .refine(
      isProxies,
      'it must be a number of proxies, or a comma list of IP addresses and networks',
    )
    .optional(),
  GEOIP_DATABASE: z.string().refine(isReadable, 'it cannot be read: name an MMDB file').optional(),
  RATE_LIMIT_LEADS_PER_MINUTE: whole(30),
  SUPPORT_EMAIL: z.email('it must be an email').default(DEFAULT_SITE_SETTINGS.supportEmail),
  TRADER_NAME: z.string().default(DEFAULT_SITE_SETTINGS.traderName),
  TRADER_ADDRESS: z.string().default(DEFAULT_SITE_SETTINGS.traderAddress),
  ANALYTICS_ID: z.string().optional(),
  ANALYTICS_SCRIPT_URL: httpUrl.default(DEFAULT_SITE_SETTINGS.analyticsScriptUrl),
  CHAT_WIDGET_URL: httpUrl.optional(),
  WEB_DIST: z.string().optional(),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'it must be smtp://user:password@host:port, or smtps://' })
    .optional(),
  ALERT_EMAIL: list.refine(
    (receivers) => receivers.every((email) => z.email().safeParse(email).success),
    {
      error: 'it must be an email, or several with commas between',
    },
  ),
  MAIL_FROM: z.string().includes('@', 'it must be an email').optional(),
});

function isProxies(text: string): boolean {
  const isKnown = (word: string) =>
    isNetwork(word) || /^(?:loopback|linklocal|uniquelocal)$/.test(word);
  return /^(?:\d+|true|false)$/.test(text) || text.split(',').every((word) => isKnown(word.trim()));
}

function isReadable(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Parses Express's own syntax: a number of hops, `true`, or a list of IP addresses and names. */
function toTrustProxy(text: string | undefined): boolean | number | string {
  if (text === undefined || text === 'false') return false;
  if (text === 'true') return true;
  return /^\d+$/.test(text) ? Number(text) : text;
}

export const apiSettings = environment
  .superRefine((env, ctx) => {
    const {
      PUBLIC_URL,
      STRIPE_SECRET_KEY,
      STRIPE_WEBHOOK_SECRET,
      SAMPLE_SITE_URL,
      STRIPE_API_URL,
      OFFER_PHASE,
      OFFER_PRICE_RISES_ON,
    } = env;
    const SESSION_SECRET = env.SESSION_SECRET.find(isSandboxValue) ?? env.SESSION_SECRET[0];
    const secrets = { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET };
    // The defaults are an offer of the past, which a new site must not announce.
    const offer = { OFFER_PHASE, OFFER_PRICE_RISES_ON };
    const needed = { PUBLIC_URL, SAMPLE_SITE_URL, SESSION_SECRET, ...offer, ...secrets };
    guardProduction(env, { needed, secrets, urls: { STRIPE_API_URL } }, ctx);
    if (STRIPE_SECRET_KEY?.includes('_live_')) refusePublicTrial(env, 'STRIPE_SECRET_KEY', ctx);
    if (env.NODE_ENV === 'production' && PUBLIC_URL?.startsWith('http:')) {
      const message = 'production needs https, or passwords and sessions are sent in the clear';
      ctx.addIssue({ code: 'custom', path: ['PUBLIC_URL'], message });
    }
    const mail = {
      SMTP_URL: env.SMTP_URL,
      ALERT_EMAIL: env.ALERT_EMAIL[0],
      MAIL_FROM: env.MAIL_FROM,
    };
    const lacking = Object.entries(mail).filter(([, value]) => value === undefined);
    for (const [name] of env.NODE_ENV === 'production' && lacking.length < 3 ? lacking : []) {
      const message = 'emails need SMTP_URL, ALERT_EMAIL and MAIL_FROM, or none of them';
      ctx.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .transform((env) => {
    const sandbox = env.NODE_ENV === 'production' ? undefined : sandboxOrigin(env);
    const publicUrl = (env.PUBLIC_URL ?? `http://127.0.0.1:${env.PORT}`).replace(/\/+$/, '');
    const smtpUrl = env.SMTP_URL ?? (sandbox && `smtp://127.0.0.1:${env.SANDBOX_PORT + 1}`);
    const [receiver = 'owner@sandbox.example', ...receivers] = env.ALERT_EMAIL;
    const sampleSiteUrl = env.SAMPLE_SITE_URL ?? `${sandbox}/sample-site`;
    const site: SiteSettings = {
      publicUrl,
      offerPhase: env.OFFER_PHASE ?? DEFAULT_SITE_SETTINGS.offerPhase,
      priceRisesOn: env.OFFER_PRICE_RISES_ON ?? DEFAULT_SITE_SETTINGS.priceRisesOn,
      keepsPastRise: env.NODE_ENV !== 'production' && env.OFFER_PRICE_RISES_ON === undefined,
      supportEmail: env.SUPPORT_EMAIL,
      traderName: env.TRADER_NAME,
      traderAddress: env.TRADER_ADDRESS,
      sampleSiteUrl,
      portalLoginUrl: env.STRIPE_PORTAL_LOGIN_URL ?? null,
      contactUrl: env.CONTACT_URL ?? null,
      privacyUrl: env.PRIVACY_URL ?? null,
      termsUrl: env.TERMS_URL ?? null,
      refundUrl: env.REFUND_URL ?? null,
      analyticsId: env.ANALYTICS_ID ?? null,
      analyticsScriptUrl: env.ANALYTICS_SCRIPT_URL,
      chatWidgetUrl: env.CHAT_WIDGET_URL ?? null,
    };
    return {
      isProduction: env.NODE_ENV === 'production',
      host: env.HOST,
      port: env.PORT,
      databaseUrl: env.DATABASE_URL,
      databasePoolSize: env.DATABASE_POOL_SIZE ?? 20,
      redisUrl: env.REDIS_URL,
      logLevel: env.LOG_LEVEL,
      alertWebhookUrl: env.ALERT_WEBHOOK_URL ?? null,
      maxPendingMs: env.ALERT_OLDEST_PENDING_MINUTES * 60_000,
      publicUrl,
      sessionSecrets:
        env.SESSION_SECRET.length > 0 ? env.SESSION_SECRET : [randomBytes(32).toString('hex')],
      sessionIdleMs: env.SESSION_IDLE_MINUTES * 60_000,
      sessionMs: env.SESSION_HOURS * 3_600_000,
      isTwoStepLoginRequired:
        (env.TWO_FACTOR ?? (env.NODE_ENV === 'production' ? 'required' : 'optional')) ===
        'required',
      stripe: {
        apiUrl: env.STRIPE_API_URL ?? sandbox,
        secretKey: env.STRIPE_SECRET_KEY ?? SANDBOX_CREDENTIALS.stripeSecretKey,
        webhookSecret: env.STRIPE_WEBHOOK_SECRET ?? SANDBOX_CREDENTIALS.stripeWebhookSecret,
      },
      beehiivWebhookSecret: env.BEEHIIV_WEBHOOK_SECRET ?? null,
      sampleSiteOrigins:
        env.SAMPLE_SITE_ORIGINS.length > 0
          ? env.SAMPLE_SITE_ORIGINS
          : [new URL(sampleSiteUrl).origin],
      trustProxy: toTrustProxy(env.TRUST_PROXY),
      geoipDatabase: env.GEOIP_DATABASE,
      checkout: {
        hasAutomaticTax: env.STRIPE_AUTOMATIC_TAX,
        hasPromotionCodes: env.STRIPE_PROMOTION_CODES,
      },
      mail: smtpUrl
        ? {
            url: smtpUrl,
            to: [receiver, ...receivers],
            mayBePlaintext: env.ALLOW_PLAINTEXT.includes(new URL(smtpUrl).hostname),
            from: env.MAIL_FROM ?? `${OFFER.productName} console <console@sandbox.example>`,
          }
        : null,
      leadsPerMinute: env.RATE_LIMIT_LEADS_PER_MINUTE,
      site,
      webDist: env.WEB_DIST,
    };
  });
export type ApiSettings = z.output<typeof apiSettings>;
