import type { CheckoutStateAnswer } from './calls/visitor.ts';
import type { SubscribeButton } from './lead.ts';
import type { FormValues } from './form-fields.ts';
import type { ProblemKind } from './problem.ts';
import type { SiteSettings } from './site-settings.ts';

/** The content of the subscribe form's own page. */
export type PlainForm = {
  from: SubscribeButton;
  values: FormValues;
  /** One message for each invalid field. */
  errors: Partial<FormValues>;
  /** The reason for showing the form again although its fields are valid, or null. */
  notice: { kind: 'returned' } | { kind: ProblemKind; title: string; detail: string } | null;
  /** A new id for each form shown, so that sending it twice makes one lead and one checkout. */
  intentId: string;
  /** The start of this visit, with its campaign, if known. */
  landingPage: string;
};

/**
 * The settings that the API writes into a page, so that hydration starts with the same settings.
 */
export type PageSettings = SiteSettings & {
  renderedAt?: string;
  /** For `/thank-you` only: Stripe's answer about the checkout. */
  checkout?: CheckoutStateAnswer | { state: 'unreachable' } | undefined;
  /** For `/subscribe` only. */
  form?: PlainForm | undefined;
};

export type PageRequest = {
  /** Path and query, as in `/thank-you?session_id=cs_1`. */
  path: string;
  site: SiteSettings;
  now: Date;
  form?: PageSettings['form'];
  checkout?: PageSettings['checkout'];
};

/** A page's HTML for its head and for its root element. */
export type RenderedPage = { head: string; body: string };

export type RenderPage = (request: PageRequest) => Promise<RenderedPage>;

/** The pages served as complete HTML, and their template names in the built site. */
export const PRERENDERED_PAGES = {
  '/': 'landing',
  '/sample-sent': 'sample-sent',
  '/thank-you': 'thank-you',
  '/subscribe': 'subscribe',
  '/not-found': 'not-found',
  '/admin-leads': 'console',
} as const;

/** A placeholder for the unknown path, replaced when the page is sent. */
export const UNKNOWN_PATH = '/unknown-path-mark';
