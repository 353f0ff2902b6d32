import { ok, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import type { ApiSettings } from '../settings.ts';
import { isLiveKey } from '../stripe/stripe-key.ts';

const CHECK = 'API settings';

/** Reports settings that are valid but rarely intended in production. */
export function examineDeployment({
  isProduction,
  site,
  stripe,
}: Pick<ApiSettings, 'isProduction' | 'site' | 'stripe'>): Finding[] {
  if (!isProduction) return [ok(CHECK, 'all usable')];
  const shown = {
    SUPPORT_EMAIL: site.supportEmail !== DEFAULT_SITE_SETTINGS.supportEmail,
    TRADER_NAME: site.traderName !== DEFAULT_SITE_SETTINGS.traderName,
    TRADER_ADDRESS: site.traderAddress !== DEFAULT_SITE_SETTINGS.traderAddress,
    PRIVACY_URL: site.privacyUrl !== null,
    TERMS_URL: site.termsUrl !== null,
  };
  const missing = Object.entries(shown).flatMap(([name, isSet]) => (isSet ? [] : [name]));
  return [
    isLiveKey(stripe.secretKey)
      ? ok(CHECK, 'all usable')
      : warning(CHECK, 'STRIPE_SECRET_KEY is a test key: nobody is charged', 'Set the live key.'),
    ...(missing.length > 0
      ? [warning(CHECK, `visitors see examples or nothing: ${missing.join(', ')}`, 'Set them.')]
      : []),
  ];
}
