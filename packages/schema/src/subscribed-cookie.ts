/* The cookie of a browser that has subscribed: for a day it is sold no second plan. */

const COOKIE = 'subscribed=yes';
const DAY_SECONDS = 24 * 60 * 60;

/** Returns the cookie as it is set, by the server or by a page's script. */
export const subscribedCookie = (isSecure: boolean) =>
  `${COOKIE}; Path=/; Max-Age=${DAY_SECONDS}; SameSite=Lax${isSecure ? '; Secure' : ''}`;

/** Tells whether a browser with these cookies has subscribed. */
export const isSubscribed = (cookies: string) => cookies.split(/;\s*/u).includes(COOKIE);
