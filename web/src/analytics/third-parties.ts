import { toPublicAddress } from '@site/schema/attribution';
import { siteSettings } from '../site-settings.ts';
import { dropSavedAttribution } from '../subscribe/saved-attribution.ts';
import { hasConsent, onConsentChange } from './consent.ts';
import { gtag } from './gtag.ts';

let isLoaded = false;

/** Loads what is configured as soon as this visitor agrees, now or later, and ends it when they take that back. */
export function loadWithConsent(): void {
  follow();
  onConsentChange(follow);
}

function follow(): void {
  if (hasConsent()) load();
  else if (isLoaded) end();
}

function load(): void {
  if (isLoaded) return;
  isLoaded = true;
  const { analyticsId, analyticsScriptUrl, chatWidgetUrl } = siteSettings();
  if (analyticsId !== null) {
    // A checkout's id opens its receipt, and an address is a person's: neither is told to anyone.
    const page = {
      page_location: toPublicAddress(window.location.href),
      page_referrer: isOwn(document.referrer) ? toPublicAddress(document.referrer) : document.referrer,
    };
    gtag('consent', 'default', { ad_storage: 'denied', ad_user_data: 'denied', ad_personalization: 'denied' });
    gtag('js', new Date());
    gtag('set', page);
    gtag('config', analyticsId);
    const script = new URL(analyticsScriptUrl);
    script.searchParams.set('id', analyticsId);
    addScript(script.href);
  }
  if (chatWidgetUrl !== null) addScript(chatWidgetUrl);
}

/** A script cannot be unloaded: what it kept is removed, and the page begins anew without it. */
function end(): void {
  dropSavedAttribution();
  for (const name of document.cookie.split(';').map((cookie) => cookie.split('=')[0]?.trim() ?? '')) {
    if (name.startsWith('_ga')) forgetCookie(name);
  }
  window.location.reload();
}

/** The tag sets its cookie on the widest domain it may, so it is removed from each. */
function forgetCookie(name: string): void {
  const labels = window.location.hostname.split('.');
  for (const domain of ['', ...labels.map((_, index) => `;domain=${labels.slice(index).join('.')}`)]) {
    document.cookie = `${name}=;path=/;max-age=0${domain}`;
  }
}

function isOwn(address: string): boolean {
  return URL.canParse(address) && new URL(address).origin === window.location.origin;
}

function addScript(src: string): void {
  const script = document.createElement('script');
  script.src = src;
  script.async = true;
  document.head.append(script);
}
