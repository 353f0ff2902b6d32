import type { SubscribeButton } from './lead.ts';
import type { FormValues } from './form-fields.ts';
import type { SiteSettings } from './site-settings.ts';

/** The subscribe form as a page of its own, for browsers that run no script: what was typed, and what is wrong with it. */
export type PlainForm = {
  from: SubscribeButton;
  values: FormValues;
  /** One sentence for each field that is not right. */
  faults: Partial<FormValues>;
  /** What keeps the form from going on although its fields are right, or null. */
  notice: string | null;
  /** One for each form that was shown: sending it twice makes one lead and one checkout. */
  intentId: string;
  /** Where this visit began, with its campaign, as far as the browser told. */
  landingPage: string;
};

export type PageRequest = {
  /** Path and query, as in `/thank-you?session_id=cs_1`. */
  address: string;
  /** The address visitors see, without a slash at its end. */
  publicUrl: string;
  site: SiteSettings;
  now: Date;
  /** For `/subscribe` alone. */
  form?: PlainForm;
};

/** A page's HTML: what belongs into its head, and what into its root element. */
export type RenderedPage = { head: string; body: string };

/** What the built site gives to whoever serves it. */
export type RenderPage = (request: PageRequest) => Promise<RenderedPage>;

/** The pages that come as complete HTML, and the name of each one's template in the built site. */
export const PRERENDERED_PAGES = {
  '/': 'landing',
  '/sample-sent': 'sample-sent',
  '/thank-you': 'thank-you',
  '/subscribe': 'subscribe',
  '/not-found': 'not-found',
} as const;

/** Stands for the path that nothing answers, until the page is sent. */
export const UNKNOWN_PATH_MARK = 'unknown-path-mark';
