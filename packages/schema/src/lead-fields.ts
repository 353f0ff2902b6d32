import { FORM_FIELDS } from './form-fields.ts';
import type { LeadDeclaration } from './lead-declaration.ts';

/*
 * Every field of a lead, declared once. The contract, the row, the insert, a repeat's fields, both
 * subscribe forms, the request to Beehiiv, the console's panel, the CSV and the privacy export
 * derive from it.
 */

const attribution = { kind: 'text', limit: 2_048, from: 'browser', isFillable: true } as const;
const client = { kind: 'text', limit: 2_048, from: 'server', isFillable: true } as const;
const system = { from: 'system' } as const;

export const LEAD_FIELDS = {
  id: { ...system, label: 'Lead id', kind: 'id', isRequired: true, beehiiv: 'lead_id' },
  ...FORM_FIELDS,
  message: { ...attribution, label: 'Message', limit: 5_000 },
  formType: {
    label: 'Form type',
    kind: 'formType',
    isRequired: true,
    from: 'browser',
    beehiiv: 'form_type',
  },
  submittedAt: { ...system, label: 'Submitted', kind: 'time', isRequired: true },
  consentMarketing: { label: 'Agreed to email', kind: 'flag', isRequired: true, from: 'browser' },
  consentTimestamp: { ...system, label: 'Agreed at', kind: 'time' },
  consentTextVersion: {
    label: 'Text version',
    kind: 'text',
    limit: 40,
    from: 'browser',
    beehiiv: 'consent_text_version',
  },
  consentPage: { label: 'Agreed on page', kind: 'text', limit: 2_048, from: 'server' },
  utmSource: { ...attribution, label: 'Source' },
  utmMedium: { ...attribution, label: 'Medium' },
  utmCampaign: { ...attribution, label: 'Campaign' },
  utmTerm: { ...attribution, label: 'Term' },
  utmContent: { ...attribution, label: 'Content' },
  gclid: { ...attribution, label: 'Google click', beehiiv: 'gclid' },
  fbclid: { ...attribution, label: 'Facebook click', beehiiv: 'fbclid' },
  ttclid: { ...attribution, label: 'TikTok click', beehiiv: 'ttclid' },
  landingPage: { ...attribution, label: 'Landing page' },
  firstPage: { ...attribution, label: 'First page' },
  referrer: { ...attribution, label: 'Referrer' },
  sessionId: { ...attribution, label: 'Visit id' },
  gaClientId: { ...attribution, label: 'Analytics client' },
  visitUtmSource: {
    ...attribution,
    label: 'This visit, source',
    path: ['visitUtm', 'source'],
    beehiiv: 'visit_source',
  },
  visitUtmMedium: { ...attribution, label: 'This visit, medium', path: ['visitUtm', 'medium'] },
  visitUtmCampaign: {
    ...attribution,
    label: 'This visit, campaign',
    path: ['visitUtm', 'campaign'],
    beehiiv: 'visit_campaign',
  },
  visitUtmTerm: { ...attribution, label: 'This visit, term', path: ['visitUtm', 'term'] },
  visitUtmContent: { ...attribution, label: 'This visit, content', path: ['visitUtm', 'content'] },
  firstUtmSource: { ...attribution, label: 'First visit, source', path: ['firstUtm', 'source'] },
  firstUtmMedium: { ...attribution, label: 'First visit, medium', path: ['firstUtm', 'medium'] },
  firstUtmCampaign: {
    ...attribution,
    label: 'First visit, campaign',
    path: ['firstUtm', 'campaign'],
  },
  firstUtmTerm: { ...attribution, label: 'First visit, term', path: ['firstUtm', 'term'] },
  firstUtmContent: { ...attribution, label: 'First visit, content', path: ['firstUtm', 'content'] },
  userAgent: { ...client, label: 'Browser' },
  ipAddress: { ...client, label: 'IP address', limit: 64 },
  deviceType: { ...client, label: 'Device', limit: 40 },
  country: { ...client, label: 'Country', limit: 200 },
  region: { ...client, label: 'Region', limit: 200 },
  city: { ...client, label: 'City', limit: 200 },
  traceId: { label: 'Trace', kind: 'text', limit: 64, from: 'server' },
  beehiivStatus: { ...system, label: 'Sync status', kind: 'beehiivStatus', isRequired: true },
  beehiivReason: { ...system, label: 'Reason', kind: 'text' },
  beehiivResponse: { ...system, label: 'Last answer', kind: 'text' },
  beehiivSentAt: { ...system, label: 'Accepted at', kind: 'time' },
  subscriberStatus: { ...system, label: 'Subscriber at Beehiiv', kind: 'text' },
  nextAttemptAt: { ...system, label: 'Next attempt', kind: 'time' },
  quarantineReason: { ...system, label: 'Quarantined because', kind: 'text' },
  createdAt: { ...system, label: 'Stored', kind: 'time', isRequired: true },
  updatedAt: { ...system, label: 'Last changed', kind: 'time', isRequired: true },
} as const satisfies Record<string, LeadDeclaration>;

export type LeadField = keyof typeof LEAD_FIELDS;

/** Lists the declarations in the order of the panel and the CSV. */
export function listLeadFields(): (LeadDeclaration & { name: LeadField })[] {
  return Object.entries<LeadDeclaration>(LEAD_FIELDS).map(([name, field]) => ({
    ...field,
    name: name as LeadField,
  }));
}

export function listCustomFields(): string[] {
  return listLeadFields().flatMap(({ beehiiv }) => (beehiiv === undefined ? [] : [beehiiv]));
}
