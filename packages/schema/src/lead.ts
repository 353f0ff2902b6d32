import { z } from 'zod';
import { describeEmailFault, findEmailFault, tidyEmail } from './email.ts';
import { toStoredText } from './text.ts';

export const FORM_TYPES = ['pre_sample', 'pre_buy'] as const;
export type FormType = (typeof FORM_TYPES)[number];

export const BEEHIIV_STATUSES = ['pending', 'sent', 'failed'] as const;
export type BeehiivStatus = (typeof BEEHIIV_STATUSES)[number];

/** Which of the three Subscribe buttons opened the form: the button names the source. */
export const SUBSCRIBE_BUTTONS = {
  nav_sub: 'navigation_subscription',
  top_sub: 'hero_subscription',
  bottom_sub: 'urgency_subscription',
} as const;
export type SubscribeButton = keyof typeof SUBSCRIBE_BUTTONS;

/** Most characters kept of each text; what is longer is cut, except an address, which is refused. */
export const LEAD_TEXT_LIMITS = { name: 200, company: 200, phone: 40, message: 5_000, attribution: 2_048 } as const;

const text = (maxChars: number) =>
  z
    .unknown()
    .optional()
    .transform((value) => toStoredText(value, maxChars));
const attribution = text(LEAD_TEXT_LIMITS.attribution);
const flag = z
  .unknown()
  .optional()
  .transform((value) => value === true || value === 1 || value === 'true' || value === 'on' || value === '1');

const campaign = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}))
  .pipe(
    z.object({
      source: attribution,
      medium: attribution,
      campaign: attribution,
      term: attribution,
      content: attribution,
    }),
  );

/** An address as typed, tidied; refused with a sentence that says what it lacks. */
export const emailField = z
  .unknown()
  .optional()
  .transform((value) => tidyEmail(toStoredText(value, 1_000) ?? ''))
  .superRefine((email, ctx) => {
    const fault = findEmailFault(email);
    if (fault) ctx.addIssue({ code: 'custom', message: describeEmailFault(fault) });
  });

/**
 * `POST /api/lead/subscribe`. Only the address and the form type can refuse a lead; every other field is
 * coerced, cut or dropped, and unknown keys are ignored.
 */
export const leadIntakeBody = z.object({
  email: emailField,
  formType: z.enum(FORM_TYPES, { error: `Must be one of ${FORM_TYPES.join(', ')}` }),
  fullName: text(LEAD_TEXT_LIMITS.name),
  company: text(LEAD_TEXT_LIMITS.company),
  phone: text(LEAD_TEXT_LIMITS.phone),
  message: text(LEAD_TEXT_LIMITS.message),
  consentMarketing: flag,
  consentTextVersion: text(40),
  utmSource: attribution,
  utmMedium: attribution,
  utmCampaign: attribution,
  utmTerm: attribution,
  utmContent: attribution,
  gclid: attribution,
  fbclid: attribution,
  ttclid: attribution,
  landingPage: attribution,
  firstPage: attribution,
  referrer: attribution,
  sessionId: attribution,
  gaClientId: attribution,
  visitUtm: campaign,
  firstUtm: campaign,
  clickedSubscribe: flag,
  /** Hidden in the form: a person leaves it empty. */
  website: text(LEAD_TEXT_LIMITS.attribution),
  /** Milliseconds from opening the form to sending it. */
  elapsedMs: z
    .unknown()
    .optional()
    .transform((value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)),
});
export type LeadIntakeBody = z.output<typeof leadIntakeBody>;

type Sent<T> = { [K in keyof T]?: T[K] | undefined };
/** What a client writes: an address and a form type, and whatever else it knows. */
export type LeadIntakeRequest = Pick<LeadIntakeBody, 'email' | 'formType'> &
  Sent<Omit<LeadIntakeBody, 'visitUtm' | 'firstUtm'>> & {
    visitUtm?: Sent<LeadIntakeBody['visitUtm']>;
    firstUtm?: Sent<LeadIntakeBody['firstUtm']>;
  };

export const leadIntakeAnswer = z.object({ id: z.uuid(), beehiivStatus: z.enum(BEEHIIV_STATUSES) });
export type LeadIntakeAnswer = z.infer<typeof leadIntakeAnswer>;

const optionalText = z.string().nullable();
const optionalInstant = z.iso.datetime().nullable();

/** A lead as the operator's calls answer it. Instants are UTC, ISO 8601. */
export const lead = z.object({
  id: z.uuid(),
  fullName: optionalText,
  email: z.string(),
  company: optionalText,
  phone: optionalText,
  message: optionalText,
  formType: z.enum(FORM_TYPES),
  submittedAt: z.iso.datetime(),
  consentMarketing: z.boolean(),
  consentTimestamp: optionalInstant,
  consentTextVersion: optionalText,
  consentPage: optionalText,
  utmSource: optionalText,
  utmMedium: optionalText,
  utmCampaign: optionalText,
  utmTerm: optionalText,
  utmContent: optionalText,
  gclid: optionalText,
  fbclid: optionalText,
  ttclid: optionalText,
  landingPage: optionalText,
  firstPage: optionalText,
  referrer: optionalText,
  sessionId: optionalText,
  gaClientId: optionalText,
  visitUtmSource: optionalText,
  visitUtmMedium: optionalText,
  visitUtmCampaign: optionalText,
  visitUtmTerm: optionalText,
  visitUtmContent: optionalText,
  firstUtmSource: optionalText,
  firstUtmMedium: optionalText,
  firstUtmCampaign: optionalText,
  firstUtmTerm: optionalText,
  firstUtmContent: optionalText,
  userAgent: optionalText,
  ipAddress: optionalText,
  deviceType: optionalText,
  country: optionalText,
  region: optionalText,
  city: optionalText,
  beehiivStatus: z.enum(BEEHIIV_STATUSES),
  beehiivResponse: optionalText,
  beehiivSentAt: optionalInstant,
  /** Beehiiv's own word for the subscriber, once it has accepted one. */
  subscriberStatus: optionalText,
  /** When a pending lead is tried next. */
  nextAttemptAt: optionalInstant,
  /** Why a lead was stored but not sent: it looked like a robot's. */
  quarantineReason: optionalText,
  /** The lead whose mistyped address this one puts right. */
  correctedFrom: z.uuid().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Lead = z.infer<typeof lead>;
