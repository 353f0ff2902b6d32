/* The cookie of a browser that has subscribed: for a day it is sold no second plan. */

const COOKIE = 'subscribed=yes';
const DAY_SECONDS = 24 * 60 * 60;

/** Returns the cookie as the server or a page's script sets it, for a site at this address. */
export const subscribedCookie = (siteUrl: string) =>
  `${COOKIE}; Path=/; Max-Age=${DAY_SECONDS}; SameSite=Lax${siteUrl.startsWith('https:') ? '; Secure' : ''}`;

/** Tells whether a browser with these cookies has subscribed. */
export const isSubscribed = (cookies = '') => cookies.split(/;\s*/u).includes(COOKIE);
