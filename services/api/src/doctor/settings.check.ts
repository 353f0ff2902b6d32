import type { Clock } from '@site/platform/process/clock';
import type { Logger } from '@site/platform/process/logger';
import { error, ok, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { formatCalendarDate, londonDate } from '@site/schema/calendar';
import { isUrgencyClaimStale } from '@site/schema/offer';
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import type { ApiSettings } from '../settings.ts';
import { isLiveKey } from '../stripe/stripe-key.ts';

type Deployed = Pick<
  ApiSettings,
  'isProduction' | 'isSecondFactorRequired' | 'trustProxy' | 'site' | 'stripe'
>;

/** Reports settings that are valid but rarely intended in production. Reports nothing elsewhere. */
export function examineDeployment({
  isProduction,
  isSecondFactorRequired,
  trustProxy,
  site,
  stripe,
}: Deployed): Finding[] {
  if (!isProduction) return [];
  const findings: Finding[] = [];
  const warn = (message: string, remedy: string) =>
    findings.push(warning('production', message, remedy));
  if (!isSecondFactorRequired) {
    warn(
      'TWO_FACTOR is optional: an operator’s password alone opens the console',
      'Remove TWO_FACTOR=optional. Operators set it up at their next sign-in.',
    );
  }
  if (trustProxy === false) {
    warn(
      'TRUST_PROXY is not set: behind a proxy all visitors share one address, and its limits',
      'Set TRUST_PROXY to the number of proxies in front, 1 in most cases.',
    );
  }
  if (!isLiveKey(stripe.secretKey)) {
    warn(
      'STRIPE_SECRET_KEY is a test key: nobody is charged',
      'Set the live key when the site is to take money.',
    );
  }
  const examples = [
    ['SUPPORT_EMAIL', site.supportEmail === DEFAULT_SITE_SETTINGS.supportEmail],
    ['TRADER_NAME', site.traderName === DEFAULT_SITE_SETTINGS.traderName],
    ['TRADER_ADDRESS', site.traderAddress === DEFAULT_SITE_SETTINGS.traderAddress],
  ] as const;
  const unset = examples.filter(([, isExample]) => isExample).map(([name]) => name);
  if (unset.length > 0) {
    warn(
      `visitors are shown examples for ${unset.join(', ')}`,
      'Set them to whom the law and a subscriber should find.',
    );
  }
  if (site.privacyUrl === null || site.termsUrl === null) {
    const missing = [
      site.privacyUrl === null && 'PRIVACY_URL',
      site.termsUrl === null && 'TERMS_URL',
    ].filter(Boolean);
    warn(
      `the form links to no privacy notice or no terms: ${missing.join(', ')}`,
      'Set them once the pages exist.',
    );
  }
  return findings;
}

/**
 * Checks that the pages do not announce a price rise whose date has passed, which would mislead visitors: an error where
 * there are some.
 */
export function examineOffer(
  { isProduction, site: { offerPhase, priceRisesOn } }: Pick<ApiSettings, 'isProduction' | 'site'>,
  clock: Clock,
): Finding {
  if (!isUrgencyClaimStale(offerPhase, priceRisesOn, londonDate(clock.now()))) {
    return ok(
      'offer',
      offerPhase === 'launch'
        ? `the price rises on ${formatCalendarDate(priceRisesOn)}`
        : 'standard price',
    );
  }
  return (isProduction ? error : warning)(
    'offer',
    `OFFER_PRICE_RISES_ON: the site still says that the price rises on ${formatCalendarDate(priceRisesOn)}, which is past`,
    'Set OFFER_PHASE=standard, or OFFER_PRICE_RISES_ON to a later day.',
  );
}

/**
 * Warns at the start if a price rise has passed whose date was set. Doctor and the console's
 * Overview also show the default date.
 */
export function warnOfStaleOffer(
  log: Logger,
  { site: { offerPhase, priceRisesOn } }: Pick<ApiSettings, 'site'>,
  clock: Clock,
): void {
  if (priceRisesOn === DEFAULT_SITE_SETTINGS.priceRisesOn) return;
  if (!isUrgencyClaimStale(offerPhase, priceRisesOn, londonDate(clock.now()))) return;
  log.warn(
    { setting: 'OFFER_PRICE_RISES_ON', priceRisesOn },
    `the site still says that the price rises on ${formatCalendarDate(priceRisesOn)}, which is past: set OFFER_PHASE=standard or a later OFFER_PRICE_RISES_ON`,
  );
}
