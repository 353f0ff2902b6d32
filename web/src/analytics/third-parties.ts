// Analytics and chat, the site's third-party scripts. They load only with consent (consent.ts).
import { readVisitOrigin } from '@site/schema/attribution';
import { siteSettings } from '../site-settings.ts';
import { gtag } from './analytics.ts';
import { dropSavedAttribution } from './saved-attribution.ts';
import { hasConsent, onConsentChange } from './consent.ts';
import { hideQuery } from './hidden-query.ts';

let isLoaded = false;

/**
 * Loads the configured scripts when the visitor accepts. Removes them when the visitor withdraws,
 * in this tab or another.
 */
export function loadWithConsent(): void {
  follow();
  onConsentChange(follow);
  window.addEventListener('storage', follow);
}

function follow(): void {
  if (hasConsent()) load();
  else if (isLoaded) unload();
}

function load(): void {
  if (isLoaded) return;
  isLoaded = true;
  const { analyticsId, analyticsScriptUrl, chatWidgetUrl } = siteSettings();
  if (analyticsId !== null) {
    // Our queries can hold an email or a checkout id, so only the campaign is sent.
    const { visitUtm } = readVisitOrigin({ url: window.location.href, referrer: '' });
    const page = {
      page_location: withoutQuery(window.location.href),
      page_referrer: isOwn(document.referrer) ? withoutQuery(document.referrer) : document.referrer,
      ...(visitUtm.source !== undefined && { campaign_source: visitUtm.source }),
      ...(visitUtm.medium !== undefined && { campaign_medium: visitUtm.medium }),
      ...(visitUtm.campaign !== undefined && { campaign_name: visitUtm.campaign }),
      ...(visitUtm.term !== undefined && { campaign_term: visitUtm.term }),
      ...(visitUtm.content !== undefined && { campaign_content: visitUtm.content }),
    };
    gtag('consent', 'default', {
      ad_storage: 'denied',
      ad_user_data: 'denied',
      ad_personalization: 'denied',
    });
    gtag('js', new Date());
    gtag('set', page);
    gtag('config', analyticsId);
    const script = new URL(analyticsScriptUrl);
    script.searchParams.set('id', analyticsId);
    addScript(script.href);
  }
  if (chatWidgetUrl !== null) addScript(chatWidgetUrl);
  // After reading the campaign, and before a script can run.
  hideQuery();
}

/** Removes the scripts' stored data and reloads the page, because a script cannot be unloaded. */
function unload(): void {
  dropSavedAttribution();
  for (const name of document.cookie
    .split(';')
    .map((cookie) => cookie.split('=')[0]?.trim() ?? '')) {
    if (name.startsWith('_ga')) deleteCookie(name);
  }
  window.location.reload();
}

/** Deletes a cookie from every domain it may be set on. Google's tag uses the widest. */
function deleteCookie(name: string): void {
  const labels = window.location.hostname.split('.');
  for (const domain of [
    '',
    ...labels.map((_, index) => `;domain=${labels.slice(index).join('.')}`),
  ]) {
    document.cookie = `${name}=;path=/;max-age=0${domain}`;
  }
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

function isOwn(url: string): boolean {
  return URL.canParse(url) && new URL(url).origin === window.location.origin;
}

function addScript(src: string): void {
  const script = document.createElement('script');
  script.src = src;
  script.async = true;
  document.head.append(script);
}
