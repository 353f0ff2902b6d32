import type { VisitOrigin } from './attribution.ts';
import { buildFormValues } from './form-fields.ts';
import type { FormValues } from './form-fields.ts';
import { SUBSCRIBE_BUTTONS } from './lead.ts';
import type { SubscribeButton } from './lead.ts';
import type { LeadIntakeRequest } from './lead-intake.ts';

/**
 * The longest that checkout waits for the lead. Storing a lead must not delay a visitor who wants
 * to pay.
 */
export const LEAD_WAIT_MS = 3_000;

/** Builds the lead of a subscribe form, from the dialog and from the form without JavaScript. */
export function buildSubscribeLead(
  from: SubscribeButton,
  values: FormValues,
  origin: (VisitOrigin & Partial<LeadIntakeRequest>) | undefined,
): LeadIntakeRequest {
  const { medium, term, content } = origin?.visitUtm ?? {};
  return {
    ...buildFormValues((field) => values[field].trim()),
    formType: 'pre_buy',
    utmSource: from,
    utmCampaign: SUBSCRIBE_BUTTONS[from],
    utmMedium: medium,
    utmTerm: term,
    utmContent: content,
    consentMarketing: true,
    clickedSubscribe: true,
    ...origin,
  };
}
